import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Secret } from '../../platform/crypto/secret.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';

/** A scraper with a wrong token repeats its request many times a minute. */
const REFUSAL_LOGGED_EVERY_MS = 60_000;

/** Creates the server that serves the metrics, to holders of the token if there is one. It is not part of the API. */
export function createMetricsServer({
  metrics: { registry },
  token,
  logger,
}: {
  metrics: Metrics;
  token: Secret | undefined;
  logger: Logger;
}): Server {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return createServer((request, response) => {
    if (token && !holdsToken(request, token)) {
      if (performance.now() - loggedAtMs >= REFUSAL_LOGGED_EVERY_MS) {
        loggedAtMs = performance.now();
        const { remoteAddress: address } = request.socket;
        logger.warn({ status: 401, address }, 'metrics refused: the token is missing or wrong');
      }
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
      (err: unknown) => {
        logger.error({ err }, 'metrics could not be collected');
        response.writeHead(500).end();
      },
    );
  });
}

/** Compares digests, which have the same length, in constant time. */
function holdsToken({ headers }: IncomingMessage, token: Secret): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token.reveal()));
}
