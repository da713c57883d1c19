import type { Analysis, BytesContent, PlainContent } from '@tps/detection';

/** Where the bytes of a file stand in the body of a request, which goes to the worker whole and without a copy. */
export interface EncodedBytes {
  readonly body: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** What a worker is asked to read. */
export interface AnalysisTask {
  readonly content: PlainContent | BytesToDecode;
}

export type BytesToDecode = Omit<BytesContent, 'bytes'> & { readonly encoded: EncodedBytes };

/** All that was read of content. Holds nothing of it but what the inspection and the indicators say. */
export interface ContentAnalysis {
  readonly analysis: Analysis;
  /** In the forms in which the tenant's devices report them. */
  readonly indicators: readonly string[];
}

/** What a worker answers. It throws nothing: an error could quote what it failed on. */
export type TaskOutcome =
  | { readonly kind: 'analyzed'; readonly analysis: ContentAnalysis }
  | { readonly kind: 'not_base64' }
  | { readonly kind: 'failed'; readonly error: string };
