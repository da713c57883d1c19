/**
 * Why a delivery is not accepted. A code keeps its meaning for good; new ones may be added.
 *
 * - `missing_header`: a header that must be there is not
 * - `malformed_header`: a header is not of its form, or is there twice
 * - `headers_disagree`: `webhook-timestamp` is not `X-Service-Timestamp`, or `webhook-id` is not the id in the body
 * - `timestamp_out_of_tolerance`: dispatched too long ago, or too far in the future
 * - `signature_mismatch`: none of the secrets made the signature
 * - `body_too_large`, `body_incomplete`: longer than the limit; the sender went away in the middle
 * - `body_not_json`, `body_not_event`: signed, but not JSON in UTF-8; not an object with an `event_id`
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
 * Says that a delivery must not be trusted. The message is safe to answer and to log: it names headers and limits, and
 * holds no secret, no signature and nothing that the sender wrote.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}
