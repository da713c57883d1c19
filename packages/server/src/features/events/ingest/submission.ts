import type { AdmittedRequest } from '../../../platform/http/route.ts';
import type { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** The events of one signed request. Without events it only uses up its nonce. */
export interface Submission {
  readonly tenantId: TenantId;
  readonly deviceId: string;
  /** Version of the device whose key verified the signature. */
  readonly deviceVersion: number;
  readonly nonce: string;
  /** The `created` parameter of the signature, in Unix seconds. */
  readonly created: number;
  /** SHA-256 of the request body that was signed. */
  readonly signedDigest: Buffer;
  readonly events: readonly PreparedEvent[];
}

/** A submission, and the request whose authority is confirmed in the transaction that stores it. */
export interface AdmittedSubmission extends Submission {
  readonly request: AdmittedRequest;
}

/** The outcome of one event. */
export type EventOutcome =
  | { readonly kind: 'stored' | 'duplicate'; readonly body: string }
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** The outcome of a submission: those of its events in order, or why none was processed. */
export type SubmissionOutcome =
  | { readonly kind: 'accepted'; readonly events: readonly EventOutcome[] }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** The device has changed since its key was read: verify again. */
  | { readonly kind: 'stale_device' };
