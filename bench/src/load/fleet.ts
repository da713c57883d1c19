import { createDeviceClient, generateDeviceKey, type SoftwareKey } from '@tps/agent';
import { signRequest } from '@tps/signatures';
import { sampleEvent } from '../sample-event.ts';

/** Making an RSA key takes some 100 ms, so devices share these. The service keeps a key of its own for each device. */
const DISTINCT_KEYS = 24;
const REGISTER_AT_ONCE = 32;

/** Where the fleet sends and as whom. */
export interface FleetTarget {
  readonly baseUrl: string;
  readonly credential: string;
  readonly tenantId: string;
}

/** A request ready to be sent. */
export interface PreparedRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Fleet {
  /** Makes and signs requests with so many events each, in turns of the devices. One event goes to POST /events. */
  sign(count: number, eventsPerRequest: number): Promise<PreparedRequest[]>;
}

/** Makes the keys of all fleets: RSA with 2048 bits. */
export function makeKeys(): Promise<SoftwareKey[]> {
  return Promise.all(Array.from({ length: DISTINCT_KEYS }, () => generateDeviceKey('rsa-v1_5-sha256')));
}

/** Registers devices over HTTP. */
export async function registerFleet(
  target: FleetTarget,
  { keys, devices }: { keys: readonly SoftwareKey[]; devices: number },
): Promise<Fleet> {
  const fleet = Array.from({ length: devices }, (_, index) => {
    const key = keys[index % keys.length];
    if (!key) throw new Error('a fleet needs keys');
    return { deviceId: `dev_bench-${index}`, key };
  });
  for (let from = 0; from < fleet.length; from += REGISTER_AT_ONCE) {
    const some = fleet.slice(from, from + REGISTER_AT_ONCE);
    await Promise.all(
      some.map((device) => createDeviceClient({ ...target, ...device }).register({ platform: 'android' })),
    );
  }
  let nextEvent = 0;
  let nextDevice = 0;

  const signOne = async (eventsPerRequest: number): Promise<PreparedRequest> => {
    const device = fleet[nextDevice++ % fleet.length];
    if (!device) throw new Error('a fleet needs devices');
    const { tenantId, credential } = target;
    const { deviceId, key } = device;
    const made = () => sampleEvent(nextEvent++, { tenantId, deviceId, nowMs: Date.now() });
    const isSingle = eventsPerRequest === 1;
    const content = isSingle ? made() : { events: Array.from({ length: eventsPerRequest }, made) };
    const body = Buffer.from(JSON.stringify(content));
    const path = isSingle ? '/events' : '/events/batch';
    const signer = { ...key, keyId: deviceId, tag: 'tps-event' } as const;
    const signature = await signRequest({ method: 'POST', path, body }, signer);
    const headers = {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      ...signature,
    };
    return { body, headers };
  };
  return {
    async sign(count, eventsPerRequest) {
      const requests: PreparedRequest[] = [];
      while (requests.length < count) {
        const some = Math.min(64, count - requests.length);
        requests.push(...(await Promise.all(Array.from({ length: some }, () => signOne(eventsPerRequest)))));
      }
      return requests;
    },
  };
}
