import { randomBytes } from 'node:crypto';
import { createDeviceClient, generateDeviceKey, type SoftwareKey } from '@tps/agent';
import type { Event } from '@tps/contract';

/** A device of a tenant, on its way to whichever address the service has at the moment. */
export interface FleetDevice {
  readonly deviceId: string;
  readonly key: SoftwareKey;
  readonly tenantId: string;
  readonly credential: string;
}

/** What a fleet knows of its events. */
export interface Ledger {
  /** Answered with 201 or 200: the service has promised to keep them. */
  readonly acknowledged: Map<string, Event>;
  /** Ids by batch, whatever the answer was. */
  readonly batches: string[][];
}

export interface Load {
  /** Resolves when every loop has met its first failure, or was told to stop. */
  readonly ended: Promise<void>;
  stop(): void;
}

const BATCH_SIZE = 20;

export async function registerDevice(
  baseUrl: string,
  { tenantId, credential }: { tenantId: string; credential: string },
): Promise<FleetDevice> {
  const deviceId = `dev_${randomBytes(6).toString('hex')}`;
  const key = await generateDeviceKey('ed25519');
  await createDeviceClient({ baseUrl, credential, deviceId, key }).register({ platform: 'android' });
  return { deviceId, key, tenantId, credential };
}

export function clientOf(
  { deviceId, key, credential }: FleetDevice,
  baseUrl: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
) {
  return createDeviceClient({ baseUrl, credential, deviceId, key, fetch });
}

/** Makes an event that nobody has sent yet. One in ten opens or joins an incident. */
export function newEvent({ tenantId, deviceId }: FleetDevice, members: Partial<Event> = {}): Event {
  return {
    event_id: `evt_${randomBytes(8).toString('hex')}`,
    type: 'risk.event.created',
    timestamp: new Date().toISOString(),
    tenant_id: tenantId,
    device_id: deviceId,
    threat_category: 'phishing',
    confidence: 0.9,
    action_taken: Math.random() < 0.5 ? 'block' : 'allow',
    policy_id: 'pol_acceptance',
    severity: Math.random() < 0.1 ? 'high' : 'medium',
    ...members,
  };
}

/** Lets every device send singles and batches at the same time, as fast as they are answered, until the service is gone. */
export function startLoad(devices: readonly FleetDevice[], baseUrl: string, ledger: Ledger): Load {
  let isStopped = false;
  const until = async (send: () => Promise<void>) => {
    try {
      while (!isStopped) await send();
    } catch {
      // The service went away in the middle. What was not answered is not in the ledger.
    }
  };
  const loops = devices.flatMap((device) => {
    const client = clientOf(device, baseUrl);
    const single = async () => {
      const event = newEvent(device);
      await client.submitEvent(event);
      ledger.acknowledged.set(event.event_id, event);
    };
    const batch = async () => {
      const events = Array.from({ length: BATCH_SIZE }, () => newEvent(device));
      ledger.batches.push(events.map((event) => event.event_id));
      const { body } = await client.submitEvents(events);
      for (const [index, { status }] of body.results.entries()) {
        const event = events[index];
        if (event && status <= 201) ledger.acknowledged.set(event.event_id, event);
      }
    };
    return [until(single), until(single), until(batch)];
  });
  return {
    ended: Promise.all(loops).then(() => undefined),
    stop() {
      isStopped = true;
    },
  };
}
