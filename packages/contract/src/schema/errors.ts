import { type Static, Type } from 'typebox';

/**
 * Every error code of the API and its HTTP status. Codes are stable, so that clients can branch on them. Messages are
 * for people and may change.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_field: 400,
  missing_field: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  cursor_filter_mismatch: 400,
  credential_in_query: 400,
  tenant_required: 400,
  event_too_old: 400,
  event_in_future: 400,
  original_event_not_found: 400,
  unsupported_workflow: 400,
  amendment_not_allowed: 400,
  invalid_public_key: 400,
  webhook_url_rejected: 400,
  plaintext_rejected: 400,
  missing_credentials: 401,
  invalid_credentials: 401,
  invalid_signature: 401,
  replayed_request: 401,
  reauthentication_required: 401,
  insufficient_scope: 403,
  tenant_mismatch: 403,
  device_not_registered: 403,
  device_revoked: 403,
  scope_escalation: 403,
  enrolment_exhausted: 403,
  not_found: 404,
  method_not_allowed: 405,
  event_id_conflict: 409,
  device_key_conflict: 409,
  policy_id_conflict: 409,
  idempotency_conflict: 409,
  import_superseded: 409,
  version_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_state_transition: 422,
  invalid_job_state: 422,
  invalid_review_state: 422,
  max_runs_exceeded: 422,
  webhook_limit_reached: 422,
  holding_limit_reached: 422,
  indicator_limit_reached: 422,
  view_limit_reached: 422,
  notice_channel_limit_reached: 422,
  data_request_limit_reached: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** The body of every error response. `status` repeats the HTTP status, so that a stored body is complete. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Unsafe<ErrorCode>({
          type: 'string',
          enum: ERROR_CODES,
          description: 'Stable error code. Branch on this.',
        }),
        message: Type.String({
          description: 'One sentence for people. Names the invalid member. May change.',
        }),
        status: Type.Integer({ description: 'HTTP status of this response.' }),
      },
      { additionalProperties: false },
    ),
  },
  { $id: 'Error', additionalProperties: false, description: 'Why the request was rejected.' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Maximum number of problems that are listed for one request. */
export const MAX_PROBLEMS = 20;

/** One thing that is wrong with a body or a query. */
export const FieldProblem = Type.Object(
  {
    field: Type.String({
      description:
        'The member of the body, such as `events[0].severity`, or the query parameter. Empty for the body itself.',
    }),
    code: Type.Unsafe<ErrorCode>({ type: 'string', enum: ERROR_CODES, description: 'Stable error code.' }),
    message: Type.String({ description: 'One sentence for people. May change.' }),
  },
  { $id: 'FieldProblem', additionalProperties: false, description: 'One problem of a request.' },
);
export type FieldProblem = Static<typeof FieldProblem>;

/** The RFC 9457 form of the same error, sent to clients that accept `application/problem+json`. */
export const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'Always `about:blank`: `code` identifies the problem.',
    }),
    title: Type.String({ description: 'Reason phrase of the HTTP status.' }),
    status: Type.Integer({ description: 'HTTP status of this response.' }),
    detail: Type.String({ description: 'One sentence for people. May change.' }),
    code: Type.Unsafe<ErrorCode>({
      type: 'string',
      enum: ERROR_CODES,
      description: 'Stable error code. Branch on this.',
    }),
    errors: Type.Optional(
      Type.Array(FieldProblem, {
        minItems: 1,
        maxItems: MAX_PROBLEMS,
        description: 'What is wrong with a body or query. The first problem is the one in `detail`.',
      }),
    ),
  },
  { $id: 'Problem', additionalProperties: false, description: 'RFC 9457 problem details.' },
);
export type Problem = Static<typeof Problem>;
