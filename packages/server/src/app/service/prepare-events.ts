import type { Database } from '../../database/index.ts';
import type { RequestDatabase } from '../../features/authority/index.ts';
import {
  AppendThread,
  type AppendThreadOptions,
  createEventCounter,
  EventStreams,
  EventWriter,
  registerEventGauges,
  registerWriterMetrics,
} from '../../features/events/index.ts';
import type { RequestOrigins, Wake } from '../../features/webhooks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';

/** Creates what stores events, and what sends them to readers that wait for them. */
export function prepareEvents(parts: {
  config: Config;
  database: Database;
  requests: RequestDatabase;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  cursors: CursorCodec;
  turns: FairTurns;
  wake: Wake;
  origins: RequestOrigins;
  tracer: Tracer;
  appendThread: Partial<AppendThreadOptions> | undefined;
}) {
  const { config, database, requests, clock, logger, metrics, cursors, turns, wake, origins, tracer } = parts;
  const streams = new EventStreams({
    ...{ database: requests, cursors, turns, logger },
    times: { stallMs: config.connections.deadlines.transferMs },
  });
  const thread = new AppendThread({
    ...{ config, logger },
    ...registerWriterMetrics(metrics),
    ...parts.appendThread,
  });
  const eventWriter = new EventWriter({
    ...{ database, thread, clock, wake, origins, tracer },
    appended: (tenantId) => streams.wake(tenantId),
  });
  registerEventGauges(metrics, { eventWriter, streams });
  return {
    eventWriter,
    streams,
    eventCounter: createEventCounter(metrics),
    close() {
      streams.close();
      return eventWriter.close();
    },
  };
}
