import type { Event } from '@tps/contract';
import { type AgentlessDevice, createEvent, toDeviceClient } from '@tps/simulator';

/** The events that a load has sent. */
export interface EventLedger {
  /** Answered with 201 or 200: the service has promised to keep them. */
  readonly acknowledged: Map<string, Event>;
  /** Ids by batch, for any answer and none. */
  readonly batches: string[][];
}

export interface EventLoad {
  /** Resolves when every loop has failed or was stopped. */
  readonly ended: Promise<void>;
  stop(): void;
}

const BATCH_SIZE = 20;

/** Each device sends single events and batches concurrently, as fast as they are answered, until the service is gone. */
export function startLoad(
  devices: readonly AgentlessDevice[],
  baseUrl: string,
  ledger: EventLedger,
): EventLoad {
  let isStopped = false;
  const repeat = async (send: () => Promise<void>) => {
    try {
      while (!isStopped) await send();
    } catch {
      // The service is gone. Unanswered events are not in the ledger.
    }
  };
  const loops = devices.flatMap((device) => {
    const client = toDeviceClient(device, { baseUrl });
    const single = async () => {
      const event = createEvent(device);
      await client.submitEvent(event);
      ledger.acknowledged.set(event.event_id, event);
    };
    const batch = async () => {
      const events = Array.from({ length: BATCH_SIZE }, () => createEvent(device));
      ledger.batches.push(events.map((event) => event.event_id));
      const { body } = await client.submitEvents(events);
      for (const [index, { status }] of body.results.entries()) {
        const event = events[index];
        if (event && status <= 201) ledger.acknowledged.set(event.event_id, event);
      }
    };
    return [repeat(single), repeat(single), repeat(batch)];
  });
  return {
    ended: Promise.all(loops).then(() => undefined),
    stop() {
      isStopped = true;
    },
  };
}
