import {
  type CallOptions,
  type Connection,
  type KeyedOptions,
  toIdempotencyKey,
} from '../http/connection.ts';

/** Returns the init for `openapi-fetch` to create an object. It is repeated after any failure: the service knows its key. */
export function createRequest<Body>(connection: Connection, body: Body, options: KeyedOptions) {
  const header = { 'Idempotency-Key': toIdempotencyKey(options) };
  return { params: { header }, body, ...connection.call(options, 'any-failure') };
}

/** Returns the init for `openapi-fetch` to change an object. It is repeated only when the rate limit has refused it. */
export function changeRequest<Body>(
  connection: Connection,
  { id, body }: { readonly id: string; readonly body: Body },
  options: CallOptions,
) {
  return { params: { path: { id } }, body, ...connection.call(options, 'rate-limit') };
}
