import { generateDeviceKey, type SoftwareKey } from '@tps/agent';
import { signRequest } from '@tps/signatures';
import { type AgentlessDevice, registerDevice } from '@tps/simulator';
import { sampleEvent } from '../sample-event.ts';

/** Generating an RSA key takes about 100 ms, so devices share these. The service keeps a separate key for each device. */
const DISTINCT_KEYS = 24;
const CONCURRENT_REGISTRATIONS = 32;
const CONCURRENT_SIGNATURES = 64;

/** Where the fleet sends, and as which tenant. */
export interface FleetTarget {
  readonly baseUrl: string;
  readonly credential: string;
  readonly tenantId: string;
}

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SignedFleet {
  /** Creates and signs requests of the devices in turn. Requests with one event are for POST /events. */
  sign(count: number, eventsPerRequest: number): Promise<PreparedRequest[]>;
}

/** Generates the keys of all fleets: RSA with 2048 bits. */
export function generateKeys(): Promise<SoftwareKey[]> {
  return Promise.all(Array.from({ length: DISTINCT_KEYS }, () => generateDeviceKey('rsa-v1_5-sha256')));
}

/** Registers devices over HTTP, in turn at each of the targets. */
export async function registerFleet(
  targets: readonly FleetTarget[],
  { keys, devices }: { keys: readonly SoftwareKey[]; devices: number },
): Promise<SignedFleet> {
  const fleet = await inGroups(devices, CONCURRENT_REGISTRATIONS, (index) =>
    registerDevice(inTurn(targets, index), toDevice(keys, index)),
  );
  return createFleet(fleet);
}

/** Sends as devices that are registered with the keys in turn: see `fillDevices`. */
export function adoptFleet(
  { credential, tenantId }: FleetTarget,
  { keys, devices }: { keys: readonly SoftwareKey[]; devices: number },
): SignedFleet {
  const adopt = (index: number) => ({ credential, tenantId, ...toDevice(keys, index) });
  return createFleet(Array.from({ length: devices }, (_, index) => adopt(index)));
}

function toDevice(keys: readonly SoftwareKey[], index: number) {
  return { deviceId: `dev_bench-${index}`, key: inTurn(keys, index) };
}

function createFleet(fleet: readonly AgentlessDevice[]): SignedFleet {
  let nextEvent = 0;
  let nextDevice = 0;

  const signOne = async (eventsPerRequest: number): Promise<PreparedRequest> => {
    const device = inTurn(fleet, nextDevice++);
    const { deviceId, key, credential } = device;
    const createNext = () => sampleEvent(nextEvent++, { ...device, nowMs: Date.now() });
    const isSingle = eventsPerRequest === 1;
    const content = isSingle
      ? createNext()
      : { events: Array.from({ length: eventsPerRequest }, createNext) };
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
    sign: (count, eventsPerRequest) =>
      inGroups(count, CONCURRENT_SIGNATURES, () => signOne(eventsPerRequest)),
  };
}

function inTurn<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('a fleet needs targets, keys and devices');
  return value;
}

/** Runs work this many times, one group after the other. */
async function inGroups<Result>(
  count: number,
  groupSize: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    const start = results.length;
    const size = Math.min(groupSize, count - start);
    results.push(...(await Promise.all(Array.from({ length: size }, (_, at) => work(start + at)))));
  }
  return results;
}
