import type { SoftwareKey } from '@tps/agent';
import { serveCalls } from '../process-calls.ts';
import { sampleEvent } from '../sample-event.ts';
import { type SendOptions, send } from './send.ts';
import {
  adoptFleet,
  type FleetTarget,
  generateKeys,
  type PreparedRequest,
  registerFleet,
  type SignedFleet,
} from './signed-fleet.ts';
import { type TrickleOptions, trickle } from './trickle.ts';

/** A separate process, so that the costs of the client are not counted as those of the server. */
let keys: readonly SoftwareKey[] | undefined;
let fleet: SignedFleet | undefined;
let requests: readonly PreparedRequest[] = [];

const ECHO_BODIES = 500;

async function registerAt(targets: readonly FleetTarget[], devices: number): Promise<void> {
  keys ??= await generateKeys();
  fleet = await registerFleet(targets, { keys, devices });
}

const calls = {
  register: async ({ devices, ...target }: FleetTarget & { devices: number }) =>
    registerAt([target], devices),
  registerAtEach: async ({ devices, targets }: { devices: number; targets: readonly FleetTarget[] }) =>
    registerAt(targets, devices),
  /** Returns the public keys of all fleets, as DER SubjectPublicKeyInfo in base64. */
  async publicKeys() {
    keys ??= await generateKeys();
    return keys.map(({ publicKeyB64 }) => publicKeyB64);
  },
  /** Sends as devices that were registered with `publicKeys` in turn. */
  async adopt({ devices, ...target }: FleetTarget & { devices: number }) {
    fleet = adoptFleet(target, { keys: keys ?? [], devices });
  },
  async sign({ count, eventsPerRequest }: { count: number; eventsPerRequest: number }) {
    if (!fleet) throw new Error('register devices before signing');
    requests = await fleet.sign(count, eventsPerRequest);
  },
  /** Prepares unsigned events, for the echo servers. */
  async prepareEcho() {
    const device = { tenantId: 'tnt_bench', deviceId: 'dev_bench-1', nowMs: Date.now() };
    requests = Array.from({ length: ECHO_BODIES }, (_, index) => ({
      body: Buffer.from(JSON.stringify(sampleEvent(index, device))),
      headers: { 'content-type': 'application/json' },
    }));
  },
  /** Signed requests that were sent are not sent again: the next call continues after them. */
  async send(options: SendOptions) {
    const result = await send(requests, options);
    if (!options.repeat) requests = requests.slice(result.requests);
    return result;
  },
  trickle: (options: TrickleOptions) => trickle(requests, options),
};
export type LoadClientCalls = typeof calls;

serveCalls(calls);
