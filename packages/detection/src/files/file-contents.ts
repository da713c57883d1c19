import type { AppContent } from '../content.ts';
import type { Finding } from '../finding.ts';

/** A file, or a file within one. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
  /** How many files it lies in. */
  readonly depth: number;
}

/** What reading one format brings to light, for others to judge. */
export interface Contents {
  readonly texts?: readonly string[];
  readonly links?: readonly string[];
  /** Addresses of pictures and the like, which are looked up but not judged: honest pages take them from anywhere. */
  readonly pictures?: readonly string[];
  readonly apps?: readonly AppContent[];
  /** Files within, unpacked one by one while they are asked for. */
  readonly parts?: Iterable<Omit<Part, 'depth'>>;
  readonly findings?: readonly Finding[];
  /** Clauses for people. */
  readonly reasons?: readonly string[];
  /** What was not read and why, as a clause. Asked for last, because unpacking may find it. */
  readonly unread?: () => string | undefined;
  /** Who sent it, where the format says so. */
  readonly sender?: string;
  /** Probability by something other than the models of text and links. */
  readonly score?: number;
  /** Nothing in it could ever be judged here: no text, no link, no file within. A clause on what it is. */
  readonly opaque?: string;
}
