import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../schema/errors.ts';

/** An example message per code. Real messages name the invalid member in the same way. */
const MESSAGES: Record<ErrorCode, string> = {
  invalid_json: 'The body is not valid JSON: unexpected end of input',
  invalid_field: 'confidence must be a number from 0 to 1',
  missing_field: 'severity is required',
  invalid_parameter: 'limit must be an integer from 1 to 100',
  invalid_cursor: 'cursor is damaged or belongs to another list',
  cursor_filter_mismatch: 'cursor was issued for other filters; keep the filters while paging',
  credential_in_query: 'Send the credential in a header, not in the URL or the body; revoke this one',
  tenant_required: 'tenant_id is required: this credential is not bound to a tenant',
  event_too_old: 'timestamp is older than the retention of 180 days',
  event_in_future: 'timestamp is more than 5 minutes in the future',
  original_event_not_found: 'corrects_event_id does not name an event of this device',
  unsupported_workflow: 'workflow_id must be incident_triage_v1',
  amendment_not_allowed: 'amendment is allowed only with the decision amend',
  invalid_public_key: 'public_key_b64 must be an RSA key of 2048 to 4096 bits, a P-256 key or an Ed25519 key',
  webhook_url_rejected: 'url is rejected: its host has an address that is not public',
  plaintext_rejected: 'This port accepts TLS only',
  missing_credentials: 'Send a credential in Authorization: Bearer or X-API-Key',
  invalid_credentials: 'The credential is not valid',
  invalid_signature: 'The request signature is not valid',
  replayed_request: 'This nonce was used before; sign every request with a new nonce',
  reauthentication_required: 'This change needs a sign-in of the last 10 minutes. Sign in again.',
  insufficient_scope: 'The credential lacks the scope events:read',
  tenant_mismatch: "tenant_id is not this credential's tenant",
  device_not_registered: 'The device is not registered',
  device_revoked: 'The device is revoked',
  scope_escalation: 'The caller does not hold the scope jobs:review',
  enrolment_exhausted: 'The enrolment secret has registered its 100 devices; create another one',
  not_found: 'The resource does not exist',
  method_not_allowed: 'PUT is not allowed for this path',
  event_id_conflict: 'event_id already belongs to an event with other content',
  device_key_conflict: 'device_id is already registered with another key',
  policy_id_conflict: 'policy_id is already in use',
  import_superseded: 'A newer import of this source has begun; start again without import_id',
  idempotency_conflict: 'Idempotency-Key was used before with another body',
  version_mismatch: 'The incident has changed; read it again',
  payload_too_large: 'The body is larger than 1048576 bytes',
  unsupported_media_type: 'Send the body as application/json',
  invalid_state_transition: 'An incident cannot change from closed to open',
  invalid_job_state: 'A completed job cannot be cancelled',
  invalid_review_state: 'The job is completed; only a job in waiting_review can be reviewed',
  max_runs_exceeded: 'The job has used its 3 runs; raise max_runs in the amendment, up to 10',
  webhook_limit_reached: 'A tenant has at most 100 webhooks',
  holding_limit_reached:
    'A tenant can have at most 2000 holdings of kind token. Those that expired in the last hour count',
  indicator_limit_reached: 'A tenant has at most 200000 indicators',
  view_limit_reached: 'One owner can have at most 100 views: delete one first',
  notice_channel_limit_reached: 'A tenant can have at most 20 notice channels',
  data_request_limit_reached:
    'A tenant can have at most 10 data requests in progress: wait until one has completed',
  rate_limited: 'The limit of 120 requests in 60 seconds is exceeded',
  internal_error: 'Internal error; quote the X-Request-Id when you report it',
  unavailable: 'The service is temporarily unavailable; try again',
};

/** Returns an example of the body of an error with this code. */
export function errorExample(code: ErrorCode): ErrorBody {
  return { error: { code, message: MESSAGES[code], status: ERROR_STATUS[code] } };
}
