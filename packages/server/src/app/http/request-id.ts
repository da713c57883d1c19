import { randomBytes } from 'node:crypto';

/** Makes the id of a request. It never comes from the client, who could pass off one request as another in the log. */
export function createRequestId(): string {
  return `req_${randomBytes(9).toString('base64url')}`;
}
