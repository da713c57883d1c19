import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../schema/errors.ts';

/** One believable message per code. Real messages name the member at fault in the same way. */
const MESSAGES: Record<ErrorCode, string> = {
  invalid_json: 'The body is not JSON: unexpected end of text',
  invalid_field: 'confidence must be a number from 0 to 1',
  missing_field: 'severity is missing',
  invalid_parameter: 'limit must be an integer from 1 to 100',
  invalid_cursor: 'cursor is damaged, or was made for another list',
  cursor_filter_mismatch: 'cursor was made with other filters; keep the filters while paging',
  credential_in_query: 'A credential must be sent in a header, never in the URL or the body; revoke this one',
  tenant_required: 'tenant_id is missing; this credential is bound to no tenant',
  event_too_old: 'timestamp is older than the 180 days that events are kept',
  event_in_future: 'timestamp is more than 5 minutes ahead of the service',
  original_event_not_found: 'corrects_event_id names no event of this device',
  unsupported_workflow: 'workflow_id must be incident_triage_v1, the only workflow there is',
  amendment_not_allowed: 'amendment goes with the decision amend only',
  invalid_public_key: 'public_key_b64 must be an RSA key of 2048 to 4096 bits, a P-256 key or an Ed25519 key',
  webhook_url_rejected: 'url is refused: its host has an address that is not public',
  plaintext_rejected: 'This port speaks TLS only',
  missing_credentials: 'Send a credential in Authorization: Bearer or X-API-Key',
  invalid_credentials: 'The credential is not valid',
  invalid_signature: 'The request signature does not match',
  replayed_request: 'This nonce was used before; sign each request anew',
  insufficient_scope: 'The credential lacks the scope events:read',
  tenant_mismatch: 'tenant_id is not the tenant of this credential',
  device_not_registered: 'The device is not registered',
  device_revoked: 'The device is revoked',
  scope_escalation: 'The caller does not hold the scope jobs:review',
  not_found: 'There is nothing here',
  method_not_allowed: 'PUT is not allowed here',
  event_id_conflict: 'event_id was used before for an event with other content',
  device_key_conflict: 'device_id is registered with another key',
  policy_id_conflict: 'policy_id is taken',
  import_superseded: 'Another import of this source has begun since; start anew without import_id',
  idempotency_conflict: 'Idempotency-Key was used before with another body',
  version_mismatch: 'The incident has changed; read it again',
  payload_too_large: 'The body is larger than 1048576 bytes',
  unsupported_media_type: 'Send the body as application/json',
  invalid_state_transition: 'An incident cannot go from closed to open',
  invalid_job_state: 'A completed job cannot be cancelled',
  invalid_review_state: 'The job is completed; only a job in waiting_review can be reviewed',
  max_runs_exceeded: 'The job has had 3 of its 3 runs; raise max_runs in the amendment, up to 10',
  webhook_limit_reached: 'A tenant has at most 100 webhooks',
  indicator_limit_reached: 'A tenant has at most 200000 indicators',
  rate_limited: 'More than 120 requests in 60 seconds',
  internal_error: 'Something went wrong here; quote the X-Request-Id',
  unavailable: 'The service cannot do this at the moment; try again',
};

/** Shows the body that an answer with this code has. */
export function errorExample(code: ErrorCode): ErrorBody {
  return { error: { code, message: MESSAGES[code], status: ERROR_STATUS[code] } };
}
