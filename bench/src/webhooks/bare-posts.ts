import { Agent, request } from 'undici';
import { serveCalls } from '../process-calls.ts';
import type { TimedWindow } from '../time-each.ts';
import type { ReceivedRequest } from './receivers.ts';

interface BarePostsOptions {
  readonly origins: readonly string[];
  readonly requests: readonly ReceivedRequest[];
  readonly concurrency: number;
  readonly window: TimedWindow;
}

interface BarePostsResult {
  readonly posts: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The service's limit per webhook. */
const CONNECTIONS_PER_RECEIVER = 8;

/**
 * Posts what the service has posted, byte for byte, to the same receivers in turn, and does nothing else: no store, no
 * signature, no check of the target. This is the maximum of undici on this machine.
 */
async function run({ origins, requests, concurrency, window }: BarePostsOptions): Promise<BarePostsResult> {
  const agent = new Agent({ connections: CONNECTIONS_PER_RECEIVER, pipelining: 1 });
  let turn = 0;
  const postInTurn = async (untilMs: number): Promise<number> => {
    let posts = 0;
    for (; performance.now() < untilMs; posts += 1) {
      turn += 1;
      const origin = origins[turn % origins.length];
      const wanted = requests[turn % requests.length];
      if (origin === undefined || wanted === undefined)
        throw new Error('the bare loop has no requests or no receivers');
      const { headers, body } = wanted;
      const answer = await request(origin, { method: 'POST', headers, body, dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`a receiver answered ${answer.statusCode}`);
    }
    return posts;
  };
  const postFor = async (ms: number) => {
    const untilMs = performance.now() + ms;
    const counts = await Promise.all(Array.from({ length: concurrency }, () => postInTurn(untilMs)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await postFor(window.warmUp * 1000);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const posts = await postFor(window.seconds * 1000);
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await agent.close();
  return { posts, seconds: elapsed, cpuSeconds: (user + system) / 1e6 };
}

const calls = { run };
export type BarePostsCalls = typeof calls;

serveCalls(calls);
