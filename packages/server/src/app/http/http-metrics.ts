import type { ErrorCode } from '@tps/contract';
import type { ConnectionEnd } from '../../platform/http/connections/connection-guard.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';

/** What the HTTP edge counts. */
export interface HttpMetrics {
  observe(request: { operation: string; status: number; seconds: number }): void;
  /** Counts an error response. */
  observeError(error: { operation: string; code: ErrorCode }): void;
  /** Counts a connection that the service ended or refused, by the reason. */
  observeConnectionEnd(reason: ConnectionEnd): void;
}

export function createHttpMetrics(metrics: Metrics): HttpMetrics {
  const durations = metrics.histogram(
    {
      name: 'tps_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response.',
      labels: ['operation', 'status'],
    },
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  );
  const errors = metrics.counter({
    name: 'tps_http_errors_total',
    help: 'Error responses by operation and error code.',
    labels: ['operation', 'code'],
  });
  const ends = metrics.counter({
    name: 'tps_http_connections_ended_total',
    help: 'Connections that the service ended or refused: by the deadline that passed, or by the limit that was reached.',
    labels: ['reason'],
  });
  return {
    observe: ({ operation, status, seconds }) => durations.observe({ operation, status }, seconds),
    observeError: ({ operation, code }) => errors.inc({ operation, code }),
    observeConnectionEnd: (reason) => ends.inc({ reason }),
  };
}
