import type { Server } from 'node:http';
import type { Config } from '../../platform/config/config.ts';
import { ConnectionGuard } from '../../platform/http/connections/connection-guard.ts';
import {
  readDescriptorLimit,
  toConnectionLimits,
} from '../../platform/http/connections/connection-limits.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { AccessLog } from '../http/access-log.ts';
import type { BrokenRequestAnswers } from '../http/broken-request.ts';
import type { HttpMetrics } from '../http/http-metrics.ts';

interface GuardParts {
  readonly config: Config;
  readonly logger: Logger;
}

interface ApiGuardParts extends GuardParts {
  readonly metrics: Metrics;
  readonly httpMetrics: HttpMetrics;
  readonly accessLog: AccessLog | undefined;
  readonly answers: BrokenRequestAnswers;
}

/** Scrapers need few connections, and the API must not lose its descriptors to them. */
const METRICS_CONNECTIONS = 16;

/** Limits the connections of the API, and counts them in the metrics. */
export function guardApi(
  server: Server,
  { config, logger, metrics, httpMetrics, accessLog, answers }: ApiGuardParts,
): ConnectionGuard {
  const guard = new ConnectionGuard({
    deadlines: config.connections.deadlines,
    limits: toConnectionLimits(config, readDescriptorLimit()),
    logger,
    onEnd(reason, address) {
      httpMetrics.observeConnectionEnd(reason);
      const isRefused = reason === 'refused_address' || reason === 'refused_total';
      if (isRefused) accessLog?.write({ reason, address });
    },
    answerLate: (socket) => answers.late(socket),
  });
  guard.attach(server);
  metrics.gauge({ name: 'tps_http_connections', help: 'Open connections of the API.' }, () => guard.open);
  return guard;
}

/** Limits the connections of the metrics listener. */
export function guardMetrics(server: Server, { config, logger }: GuardParts): void {
  const guard = new ConnectionGuard({
    deadlines: config.connections.deadlines,
    limits: { total: METRICS_CONNECTIONS, perAddress: METRICS_CONNECTIONS },
    logger: logger.child({ listener: 'metrics' }),
    onEnd: () => undefined,
    answerLate: (stream) => stream.destroy(),
  });
  guard.attach(server);
}
