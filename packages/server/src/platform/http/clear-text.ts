import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../service-error.ts';

/**
 * Rejects a request that reached a trusted proxy without TLS, as the proxy says in `X-Forwarded-Proto`. The last of several
 * values is that of the proxy itself.
 */
export function refuseClearText(
  headers: IncomingHttpHeaders,
  { urls, rateLimit }: Pick<Config, 'urls' | 'rateLimit'>,
): void {
  if (!rateLimit.trustProxy || !urls.baseUrl.startsWith('https:')) return;
  const scheme = headers['x-forwarded-proto']?.toString().split(',').at(-1)?.trim().toLowerCase();
  if (scheme !== 'http') return;
  throw new ServiceError(
    'plaintext_rejected',
    'The request reached the proxy without TLS. Use HTTPS; if TLS ends before the proxy, let the proxy pass on X-Forwarded-Proto',
  );
}
