import { type SendOptions, send } from '../load/send.ts';
import type { PreparedRequest } from '../load/signed-fleet.ts';
import { serveCalls } from '../process-calls.ts';
import { type ScanGroup, sampleScan } from './sample-scans.ts';

/** A separate process, so that the costs of the client are not counted as those of the server. */
let requests: readonly PreparedRequest[] = [];

const DISTINCT_SCANS = 2_000;

const calls = {
  async prepare({ group, credential }: { group: ScanGroup; credential: string }) {
    requests = Array.from({ length: DISTINCT_SCANS }, (_, number) => ({
      body: Buffer.from(JSON.stringify(sampleScan(group, number))),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    }));
  },
  send: (options: SendOptions) => send(requests, options),
};
export type ScanClientCalls = typeof calls;

serveCalls(calls);
