import type { IncomingMessage } from 'node:http';
import { invalidCredentials, ServiceError } from '../../../platform/service-error.ts';

const CREDENTIAL_HEADERS = new Map([
  ['authorization', 'Authorization'],
  ['x-api-key', 'X-API-Key'],
]);

/** A credential, and the scheme of the header that it came in. */
export interface PresentedCredential {
  readonly credential: string;
  readonly scheme: 'Bearer' | 'DPoP';
}

/**
 * Reads the credential of a request from `Authorization: Bearer` (or `DPoP`) or `X-API-Key`. Both may be sent if they agree.
 * @throws ServiceError `missing_credentials`; `invalid_credentials` when the two differ; `invalid_parameter` when one
 * occurs twice, which Node's `headers` do not show
 */
export function readCredential({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): PresentedCredential {
  refuseRepeated(rawHeaders);
  const [, scheme = '', bearer] = /^(Bearer|DPoP) +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  const apiKey = headers['x-api-key'];
  if (headers.authorization !== undefined && bearer === undefined) throw invalidCredentials();
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey) throw invalidCredentials();
  const credential = bearer ?? apiKey;
  if (credential === undefined) {
    throw new ServiceError('missing_credentials', 'Send a credential in Authorization: Bearer or X-API-Key');
  }
  return { credential: String(credential), scheme: /^dpop$/i.test(scheme) ? 'DPoP' : 'Bearer' };
}

/** @throws ServiceError for a header that occurs twice: two readers could use different ones of the two */
function refuseRepeated(rawHeaders: readonly string[]): void {
  const given = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = CREDENTIAL_HEADERS.get(rawHeaders[at]?.toLowerCase() ?? '');
    if (name === undefined) continue;
    if (given.has(name)) {
      throw new ServiceError('invalid_parameter', `The header ${name} occurs more than once; send it once`);
    }
    given.add(name);
  }
}
