import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../platform/service-error.ts';

const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;]*)/gi;
const UTF_8 = /^"?utf-?8"?$/i;

/**
 * Rejects bodies that would have to be decoded before they are JSON in UTF-8. Their bytes are signed as they are, and
 * a small compressed body can become a large one.
 */
export function refuseEncodedBody(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding');
  }
  const type = headers['content-type'] ?? '';
  // Almost no request has a parameter, and the pattern takes 2 µs.
  if (!type.includes(';')) return;
  for (const [, charset = ''] of type.matchAll(CHARSET)) {
    if (UTF_8.test(charset.trim())) continue;
    throw new ServiceError('unsupported_media_type', 'Send the body in UTF-8, the only charset of JSON');
  }
}
