import { createDeviceClient, type DeviceClient, DeviceClientError, generateDeviceKey } from '@tps/agent';
import type { Event } from '@tps/contract';
import type { SampleDevice, Step } from './sample.ts';
import { createWire, type Wire } from './wire.ts';

export interface FleetDevice extends SampleDevice {
  readonly client: DeviceClient;
  readonly wire: Wire;
}

/** What the service answered about one event. */
export interface Outcome {
  readonly event: Event;
  readonly status: number;
  /** The event as the service says that it stored it; undefined in batches, which answer with a status each. */
  readonly stored: Event | undefined;
  /** Of a refusal. */
  readonly code: string | undefined;
  /** Code of the refusal that was meant to happen; undefined where the event was to be accepted. */
  readonly expected: string | undefined;
}

/** Gives each device a key of its own and makes it known to the service, each signing its registration. */
export function registerFleet(
  devices: readonly SampleDevice[],
  { baseUrl, credential }: { baseUrl: string; credential: string },
): Promise<FleetDevice[]> {
  return Promise.all(
    devices.map(async (device) => {
      const { device_id: deviceId, algorithm, platform, name } = device;
      const wire = createWire();
      const key = await generateDeviceKey(algorithm);
      const client = createDeviceClient({ baseUrl, credential, deviceId, key, fetch: wire.fetch });
      await client.register({ platform, name, agentVersion: '0.1.0' });
      return { ...device, client, wire };
    }),
  );
}

/** Sends one request as its device would, with the trouble that is planned for it. Refusals are outcomes. */
export async function deliver(step: Step, { client, wire }: FleetDevice): Promise<Outcome[]> {
  const [event] = step.events;
  if (!event) return [];
  if (step.events.length > 1) return deliverBatch(step, client);
  const { expected } = step;
  const once = () => deliverOne(client, event, expected);
  switch (step.trouble) {
    case 'tampered':
      wire.tamperWithNext();
      return [await once()];
    case 'retried':
      return [await once(), await once()];
    case 'replayed': {
      const first = await once();
      const { status, code } = await wire.replayLast();
      return [first, { event, status, code, stored: undefined, expected: 'replayed_request' }];
    }
    case undefined:
      return [await once()];
  }
}

async function deliverOne(
  client: DeviceClient,
  event: Event,
  expected: string | undefined,
): Promise<Outcome> {
  try {
    const { status, body } = await client.submitEvent(event);
    return { event, status, stored: body, code: undefined, expected };
  } catch (error) {
    if (!(error instanceof DeviceClientError)) throw error;
    const { status, code = 'unknown' } = error;
    return { event, status, stored: undefined, code, expected };
  }
}

async function deliverBatch({ events, expected }: Step, client: DeviceClient): Promise<Outcome[]> {
  const { body } = await client.submitEvents(events);
  return events.map((event, index) => {
    const result = body.results[index];
    const status = result?.status ?? 0;
    return { event, status, stored: undefined, code: result?.error?.code, expected };
  });
}
