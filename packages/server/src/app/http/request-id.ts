import { randomUUID } from 'node:crypto';

/**
 * Creates the id of a request, with 72 random bits. It never comes from the client, which could otherwise disguise
 * one request as another in the log.
 *
 * The bits are those of a UUID, without its version and variant: Node generates the randomness of 128 UUIDs at once.
 * This takes 0.4 µs; `randomBytes(9)` takes 4.5 µs.
 */
export function createRequestId(): string {
  const uuid = randomUUID();
  return `req_${Buffer.from(uuid.slice(24) + uuid.slice(0, 6), 'hex').toString('base64url')}`;
}
