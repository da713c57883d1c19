import type { ErrorCode } from '../schema/errors.ts';
import type { Operation } from './operation.ts';

const AUTHENTICATED: readonly ErrorCode[] = [
  'invalid_parameter',
  'credential_in_query',
  'tenant_required',
  'missing_credentials',
  'invalid_credentials',
  'insufficient_scope',
  'tenant_mismatch',
  // An operator may name a tenant that does not exist.
  'not_found',
];
const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_field',
  'missing_field',
  'payload_too_large',
  'unsupported_media_type',
];
const SIGNED: readonly ErrorCode[] = ['invalid_signature', 'replayed_request'];
const ANY: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'unavailable'];

/** Returns every error code of an operation, each once. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  return [
    ...new Set([
      ...(operation.scope === null ? [] : AUTHENTICATED),
      ...(operation.query && 'cursor' in operation.query.properties
        ? (['invalid_cursor', 'cursor_filter_mismatch'] as const)
        : []),
      ...(operation.body ? WITH_BODY : []),
      ...(operation.signature ? SIGNED : []),
      ...(operation.recentSignIn ? (['reauthentication_required'] as const) : []),
      ...(operation.errors ?? []),
      ...ANY,
    ]),
  ];
}
