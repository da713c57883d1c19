/**
 * Why a delivery is not accepted. Codes do not change their meaning; new ones may be added.
 *
 * - `missing_header`: a required header is missing
 * - `malformed_header`: a header is malformed or repeated
 * - `headers_disagree`: `webhook-timestamp` is not `X-Service-Timestamp`, or `webhook-id` is not the id in the body
 * - `timestamp_out_of_tolerance`: sent too long ago, or dated too far in the future
 * - `signature_mismatch`: the signature was not made with any of the secrets
 * - `body_too_large`: larger than the limit
 * - `body_incomplete`: the connection ended before the end of the body
 * - `body_not_json`: signed, but not JSON in UTF-8
 * - `body_not_event`: signed, but not an object with an `event_id`
 */
export type WebhookVerificationCode =
  | 'missing_header'
  | 'malformed_header'
  | 'headers_disagree'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'body_too_large'
  | 'body_incomplete'
  | 'body_not_json'
  | 'body_not_event';

/**
 * A delivery must not be trusted. The message can be sent as an answer and logged: it names headers and limits, and
 * contains no secret, signature or other content of the sender.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}
