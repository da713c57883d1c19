import type { TenantId } from '../../platform/tenant-id.ts';
import type { DevicesFeature } from '../devices/devices-feature.ts';
import type { Feature, SharedParts } from '../feature.ts';
import type { WebhooksFeature } from '../webhooks/webhooks-feature.ts';
import { createEventCounter, registerEventGauges, registerWriterMetrics } from './event-metrics.ts';
import { eventRoutes } from './event-routes.ts';
import { EventService } from './event-service.ts';
import { AppendThread, type AppendThreadOptions } from './ingest/append-thread.ts';
import { EventWriter } from './ingest/event-writer.ts';
import { EventStreams } from './stream/event-streams.ts';

interface Uses {
  readonly devices: DevicesFeature;
  readonly webhooks: WebhooksFeature;
  /** Replaces the writer thread with one that fails. */
  readonly appendThread?: Partial<AppendThreadOptions> | undefined;
}

/** Stores events, and sends them to readers that wait for them. */
export function eventsFeature(shared: SharedParts, { devices, webhooks, appendThread }: Uses) {
  const { config, requests: database, metrics } = shared;
  const times = { stallMs: config.connections.deadlines.transferMs };
  const streams = new EventStreams({ ...shared, database, times });
  const thread = new AppendThread({ ...shared, ...registerWriterMetrics(metrics), ...appendThread });
  const { origins, wake } = webhooks;
  const appended = (tenantId: TenantId) => streams.wake(tenantId);
  const writer = new EventWriter({ ...shared, thread, origins, wake, appended });
  const counter = createEventCounter(metrics);
  registerEventGauges(metrics, { eventWriter: writer, streams });
  const retentionDays = config.retention.eventDays;
  const events = new EventService({ ...shared, keys: devices.keys, writer, counter, retentionDays });
  return {
    ...{ writer, streams, counter },
    routes: eventRoutes({ ...shared, database, events, streams }),
    component: {
      name: 'writer',
      isUp: () => !writer.isStuck(),
      check: {
        name: 'events',
        problem: 'Events cannot be stored',
        whatToDo: 'Look for errors of the writer thread in the log, then restart the service.',
      },
    },
    close() {
      streams.close();
      return writer.close();
    },
  } satisfies Feature;
}
