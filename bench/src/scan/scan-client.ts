import type { PreparedRequest } from '../load/fleet.ts';
import { type SendOptions, send } from '../load/send.ts';
import { serveCalls } from '../process-calls.ts';
import { sampleScan } from './sample-scans.ts';
import type { ScanGroup } from './scan-options.ts';

/** A process of its own, so that what the client costs is not counted as the server's. */
let requests: readonly PreparedRequest[] = [];

const DIFFERENT = 2_000;

const calls = {
  async prepare({ group, credential }: { group: ScanGroup; credential: string }) {
    requests = Array.from({ length: DIFFERENT }, (_, number) => ({
      body: Buffer.from(JSON.stringify(sampleScan(group, number))),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    }));
  },
  send: (options: SendOptions) => send(requests, options),
};
export type ScanClientCalls = typeof calls;

serveCalls(calls);
