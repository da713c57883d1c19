import type { MessagePort } from 'node:worker_threads';
import type { Analysis, BytesContent, PlainContent } from '@tps/detection';

/** The position of a file's bytes in the request body, which is transferred to the worker without a copy. */
export interface EncodedBytes {
  readonly body: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The content for a worker to analyze. */
export interface AnalysisTask {
  readonly content: PlainContent | BytesToDecode;
}

/** The task as a worker receives it. */
export interface StartedTask extends AnalysisTask {
  /** The worker posts a message when it begins. */
  readonly started: MessagePort;
}

export type BytesToDecode = Omit<BytesContent, 'bytes'> & { readonly encoded: EncodedBytes };

/** The result of reading content. Contains nothing of the content beyond the analysis and the indicators. */
export interface ContentAnalysis {
  readonly analysis: Analysis;
  /** In the forms in which the tenant's devices report them. */
  readonly indicators: readonly string[];
}

/** The response of a worker. Workers do not throw, because an error could quote the content. */
export type TaskOutcome =
  | { readonly kind: 'analyzed'; readonly analysis: ContentAnalysis }
  | { readonly kind: 'failed'; readonly error: string };
