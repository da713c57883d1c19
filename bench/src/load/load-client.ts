import type { SoftwareKey } from '@tps/agent';
import { serveCalls } from '../process-calls.ts';
import { sampleEvent } from '../sample-event.ts';
import { type Fleet, type FleetTarget, makeKeys, type PreparedRequest, registerFleet } from './fleet.ts';
import { type SendOptions, send } from './send.ts';
import { type TrickleOptions, trickle } from './trickle.ts';

/** A process of its own, so that what the client costs is not counted as the server's. */
let keys: readonly SoftwareKey[] | undefined;
let fleet: Fleet | undefined;
let requests: readonly PreparedRequest[] = [];

const ECHO_BODIES = 500;

const calls = {
  async register({ devices, ...target }: FleetTarget & { devices: number }) {
    keys ??= await makeKeys();
    fleet = await registerFleet(target, { keys, devices });
  },
  async sign({ count, eventsPerRequest }: { count: number; eventsPerRequest: number }) {
    if (!fleet) throw new Error('register first');
    requests = await fleet.sign(count, eventsPerRequest);
  },
  /** Unsigned events, for servers that only echo. */
  async prepareEcho() {
    const place = { tenantId: 'tnt_bench', deviceId: 'dev_bench-1', nowMs: Date.now() };
    requests = Array.from({ length: ECHO_BODIES }, (_, index) => ({
      body: Buffer.from(JSON.stringify(sampleEvent(index, place))),
      headers: { 'content-type': 'application/json' },
    }));
  },
  send: (options: SendOptions) => send(requests, options),
  trickle: (options: TrickleOptions) => trickle(requests, options),
};
export type LoadClientCalls = typeof calls;

serveCalls(calls);
