import type { SignatureAlgorithm } from './algorithms.ts';
import type { SignatureTag } from './profile.ts';

/** One signature of a message, well-formed and complete, but not yet verified. */
export interface ParsedSignature {
  readonly label: string;
  /** The covered components in the order in which they were signed. */
  readonly components: readonly string[];
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds. Not checked here: the verifier compares it with its clock. */
  readonly expires?: number;
  readonly nonce: string;
  readonly keyId: string;
  readonly algorithm: SignatureAlgorithm;
  readonly tag: SignatureTag;
  /** The signature base (RFC 9421 §2.5), rebuilt from the message. ASCII. */
  readonly base: string;
  readonly value: Uint8Array;
}
