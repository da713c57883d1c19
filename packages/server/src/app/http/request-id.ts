import { randomBytes } from 'node:crypto';

/**
 * Creates the id of a request. It never comes from the client, who could disguise one request as another in the
 * log.
 */
export function createRequestId(): string {
  return `req_${randomBytes(9).toString('base64url')}`;
}
