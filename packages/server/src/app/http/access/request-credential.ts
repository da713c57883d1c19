import type { IncomingHttpHeaders } from 'node:http';
import { CREDENTIAL_PATTERN } from '../../../platform/crypto/credentials.ts';
import { invalidCredentials, ServiceError } from '../../../platform/service-error.ts';

/**
 * Reads the credential of a request from `Authorization: Bearer` or `X-API-Key`. Both may be sent if they agree.
 * @throws ServiceError `missing_credentials`, or `invalid_credentials` when the two differ
 */
export function readCredential(headers: IncomingHttpHeaders): string {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const apiKey = headers['x-api-key'];
  if (headers.authorization !== undefined && bearer === undefined) throw invalidCredentials();
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey) throw invalidCredentials();
  const credential = bearer ?? apiKey;
  if (credential === undefined) {
    throw new ServiceError('missing_credentials', 'Send a credential in Authorization: Bearer or X-API-Key');
  }
  return String(credential);
}

/** Rejects a credential where it would end up in logs and histories. It is never used, even if it is valid. */
export function refuseExposedCredential(text: string): void {
  if (CREDENTIAL_PATTERN.test(text)) {
    throw new ServiceError(
      'credential_in_query',
      'A credential must be sent in a header, never in the URL or the body; revoke this one',
    );
  }
}
