import type { SoftwareKey } from '@tps/agent';
import { serveCalls } from '../process-calls.ts';
import { sampleEvent } from '../sample-event.ts';
import { type SendOptions, send } from './send.ts';
import {
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

const calls = {
  async register({ devices, ...target }: FleetTarget & { devices: number }) {
    keys ??= await generateKeys();
    fleet = await registerFleet(target, { keys, devices });
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
