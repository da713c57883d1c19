import type { AdmittedRequest } from '../../../platform/http/route.ts';
import type { Refusal } from '../../../platform/service-error.ts';
import type { TraceContext } from '../../../platform/tracing/trace-context.ts';

/** An event ready to be stored: validated, redacted, with normalized times. These fields are sent to the writer thread. */
export interface PreparedEvent {
  readonly eventId: string;
  /** RFC 8785 text, as stored, served and hashed. */
  readonly body: string;
  /**
   * SHA-256, in hexadecimal, of the RFC 8785 text of the event as the device sent it; undefined if that is `body`. The
   * device's own chain refers to it.
   */
  readonly receivedHash: string | undefined;
  readonly timestampMs: number;
}

/** The events of one signed request. Without events it only uses up its nonce. Plain data, sent to the writer thread. */
export interface Submission {
  /** Its authority is confirmed in the transaction that stores the events. */
  readonly request: AdmittedRequest;
  /** Parent of the span of the transaction; undefined if the request is not traced. */
  readonly trace?: TraceContext | undefined;
  readonly deviceId: string;
  /** Version of the device whose key verified the signature. */
  readonly deviceVersion: number;
  readonly nonce: string;
  /** The `created` parameter of the signature, in Unix seconds. */
  readonly created: number;
  /** SHA-256 of the request body that was signed, in hexadecimal. */
  readonly signedDigest: string;
  readonly events: readonly PreparedEvent[];
}

/** The outcome of one event. */
export type EventOutcome =
  | { readonly kind: 'stored' | 'duplicate' }
  | { readonly kind: 'refused'; readonly error: Refusal };

/** The outcome of a submission: those of its events in order, or why none was processed. */
export type SubmissionOutcome =
  | { readonly kind: 'accepted'; readonly events: readonly EventOutcome[] }
  | { readonly kind: 'refused'; readonly error: Refusal }
  /** The device has changed since its key was read: verify again. */
  | { readonly kind: 'stale_device' };
