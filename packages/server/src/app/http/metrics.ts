import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ObservedStep } from '../../features/jobs/index.ts';
import type { ObservedAttempt } from '../../features/webhooks/index.ts';
import type { Secret } from '../../platform/crypto/secret.ts';
import type { ConnectionEnd } from '../../platform/http/connections/connection-guard.ts';

export interface HttpMetrics {
  observe(request: { operation: string; status: number; seconds: number }): void;
  /** Records an attempt to deliver to a webhook. */
  observeAttempt(attempt: ObservedAttempt): void;
  /** Records a step of a job. */
  observeStep(step: ObservedStep): void;
  /** Records a connection that the service ended or refused, by the reason. */
  observeConnectionEnd(reason: ConnectionEnd): void;
  /** Adds a gauge whose value is read with the metrics. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Creates the server that serves the metrics, to holders of the token if there is one. It is not part of the API. */
  createServer(token: Secret | undefined): Server;
}

export function createMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'tps_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const attempts = new Histogram({
    name: 'tps_webhook_attempt_duration_seconds',
    help: 'Duration of webhook delivery attempts by outcome: delivered, retry or failed.',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const steps = new Histogram({
    name: 'tps_job_step_duration_seconds',
    help: 'Duration of job steps by outcome: succeeded or failed.',
    labelNames: ['step', 'outcome'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const ends = new Counter({
    name: 'tps_http_connections_ended_total',
    help: 'Connections that the service ended or refused: by the deadline that passed, or by the limit that was reached.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return {
    observeConnectionEnd: (reason) => ends.inc({ reason }),
    observeStep: ({ step, outcome, seconds }) => steps.observe({ step, outcome }, seconds),
    observeAttempt: ({ outcome, seconds }) => attempts.observe({ outcome }, seconds),
    observe: ({ operation, status, seconds }) => durations.observe({ operation, status }, seconds),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
    createServer: (token) =>
      createServer((request, response) => {
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
      }),
  };
}

/** Compares digests, which have the same length, in constant time. */
function holdsToken({ headers }: IncomingMessage, token: Secret): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token.reveal()));
}
