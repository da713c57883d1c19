import type { Server } from 'node:http';
import type { Config } from '../../platform/config/config.ts';
import { ConnectionGuard } from '../../platform/http/connections/connection-guard.ts';
import {
  readDescriptorLimit,
  toConnectionLimits,
} from '../../platform/http/connections/connection-limits.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { answerLateRequest } from '../http/broken-request.ts';
import type { HttpMetrics } from '../http/http-metrics.ts';

interface GuardParts {
  readonly config: Config;
  readonly logger: Logger;
}

/** Scrapers need few connections, and the API must not lose its descriptors to them. */
const METRICS_CONNECTIONS = 16;

/** Limits the connections of the API, and counts them in the metrics. */
export function guardApi(
  server: Server,
  { config, logger, metrics, httpMetrics }: GuardParts & { metrics: Metrics; httpMetrics: HttpMetrics },
): ConnectionGuard {
  const guard = new ConnectionGuard({
    deadlines: config.connections.deadlines,
    limits: toConnectionLimits(config, readDescriptorLimit()),
    logger,
    onEnd: (reason) => httpMetrics.observeConnectionEnd(reason),
    answerLate: answerLateRequest,
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
