import type { AppContent } from '../content.ts';
import type { Finding } from '../finding.ts';

/** A file, or a file inside one. */
export interface FilePart {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
  /** The number of files around it. */
  readonly depth: number;
}

/** What a reader found in one format, for analysis. */
export interface Contents {
  readonly texts?: readonly string[];
  readonly links?: readonly string[];
  /**
   * URLs of pictures and similar resources, which are looked up but not scored: benign pages load them from
   * anywhere.
   */
  readonly pictures?: readonly string[];
  readonly apps?: readonly AppContent[];
  /** Files inside, unpacked one by one on iteration. */
  readonly parts?: Iterable<Omit<FilePart, 'depth'>>;
  readonly findings?: readonly Finding[];
  /** Clauses for people. */
  readonly reasons?: readonly string[];
  /** A clause on what was not read and why. Called last, because unpacking may discover it. */
  readonly unread?: () => string | undefined;
  /** The sender, if the format names it. */
  readonly sender?: string;
  /** Probability from another source than the models of text and links. */
  readonly score?: number;
  /** A clause that describes content which cannot be analyzed: it has no text, no link and no file inside. */
  readonly opaque?: string;
  /** A picture or a signature: beside text that was analyzed it is part of an ordinary mail, not a gap. */
  readonly isIncidental?: boolean;
}
