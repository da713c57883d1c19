import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Secret } from '../../platform/crypto/secret.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';

/** Creates the server that serves the metrics, to holders of the token if there is one. It is not part of the API. */
export function createMetricsServer({ registry }: Metrics, token: Secret | undefined): Server {
  return createServer((request, response) => {
    if (token && !holdsToken(request, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}

/** Compares digests, which have the same length, in constant time. */
function holdsToken({ headers }: IncomingMessage, token: Secret): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token.reveal()));
}
