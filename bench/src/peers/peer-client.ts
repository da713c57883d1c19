import type { SoftwareKey } from '@tps/agent';
import { signRequest } from '@tps/signatures';
import { type SendOptions, send } from '../load/send.ts';
import { generateKeys, type PreparedRequest } from '../load/signed-fleet.ts';
import { serveCalls } from '../process-calls.ts';
import { sampleEvent } from '../sample-event.ts';

/** A device whose requests the peers can verify. */
export interface PeerDevice {
  readonly deviceId: string;
  readonly publicKeyB64: string;
}

export interface RequestsToSign {
  readonly path: string;
  readonly count: number;
  /** Headers that the peer needs in addition. */
  readonly headers: Readonly<Record<string, string>>;
  /** Also sends the id of the event in this header. */
  readonly idHeader?: string;
}

/** What peers deliver: an event, to a receiver. */
export interface PeerDelivery {
  readonly url: string;
  readonly id: string;
  readonly body: string;
}

const CONCURRENT_SIGNATURES = 64;
const TENANT_ID = 'tnt_bench-peers';

/** A separate process that sends to peers what the load client sends to the service: the same events, keys and fields. */
let devices: readonly { deviceId: string; key: SoftwareKey }[] = [];
let requests: readonly PreparedRequest[] = [];
let nextEvent = 0;

const calls = {
  async createDevices(count: number): Promise<PeerDevice[]> {
    const keys = await generateKeys();
    devices = Array.from({ length: count }, (_, index) => {
      const key = keys[index % keys.length];
      if (!key) throw new Error('devices need keys');
      return { deviceId: `dev_bench-${index}`, key };
    });
    return devices.map(({ deviceId, key }) => ({ deviceId, publicKeyB64: key.publicKeyB64 }));
  },
  async createDeliveries({ count, origins }: { count: number; origins: readonly string[] }) {
    const device = { tenantId: TENANT_ID, deviceId: 'dev_bench-1', nowMs: Date.now() };
    return Array.from({ length: count }, (_, index): PeerDelivery => {
      const event = sampleEvent(index, device);
      return { url: origins[index % origins.length] ?? '', id: event.event_id, body: JSON.stringify(event) };
    });
  },
  async sign({ count, ...target }: RequestsToSign) {
    const signed: PreparedRequest[] = [];
    while (signed.length < count) {
      const size = Math.min(CONCURRENT_SIGNATURES, count - signed.length);
      signed.push(...(await Promise.all(Array.from({ length: size }, () => signNext(target)))));
    }
    requests = signed;
  },
  /** Sends an event that was changed after it was signed. Returns the status of the answer. */
  async sendForged({ origin, ...target }: Omit<RequestsToSign, 'count'> & { origin: string }) {
    const { body, headers } = await signNext(target);
    const forged = body.toString().replace('"confidence":0.', '"confidence":0.9');
    const answer = await fetch(`${origin}${target.path}`, { method: 'POST', headers, body: forged });
    await answer.arrayBuffer();
    return answer.status;
  },
  /** Prepares requests of which each makes Restate deliver an event. */
  async prepareDeliveries(deliveries: readonly PeerDelivery[]) {
    requests = deliveries.map((delivery) => ({
      body: Buffer.from(JSON.stringify(delivery)),
      headers: { 'content-type': 'application/json', 'idempotency-key': delivery.id },
    }));
  },
  send: (options: SendOptions) => send(requests, options),
};
export type PeerClientCalls = typeof calls;

async function signNext({
  path,
  headers,
  idHeader,
}: Omit<RequestsToSign, 'count'>): Promise<PreparedRequest> {
  const device = devices[nextEvent % devices.length];
  if (!device) throw new Error('create devices before signing');
  const { deviceId, key } = device;
  const event = sampleEvent(nextEvent++, { tenantId: TENANT_ID, deviceId, nowMs: Date.now() });
  const body = Buffer.from(JSON.stringify(event));
  const signature = await signRequest(
    { method: 'POST', path, body },
    { ...key, keyId: deviceId, tag: 'tps-event' },
  );
  const id = idHeader === undefined ? {} : { [idHeader]: event.event_id };
  return { body, headers: { 'content-type': 'application/json', ...headers, ...id, ...signature } };
}

serveCalls(calls);
