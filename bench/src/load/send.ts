import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { percentile } from '../figures.ts';
import type { PreparedRequest } from './signed-fleet.ts';

export interface SendOptions {
  readonly origin: string;
  readonly path: string;
  readonly connections: number;
  /** Sending ends after this time, or when all requests are sent. */
  readonly seconds: number;
  /** Starts again with the first request when all are sent. Signed requests cannot be repeated. */
  readonly repeat: boolean;
  /** Sends at this pace, as far as the connections allow; undefined to send as fast as possible. */
  readonly perSecond?: number;
}

/** The result of one timed window. */
export interface SendResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the client. When it is near `seconds`, the client was the limit, not the server. */
  readonly clientCpuSeconds: number;
}

/**
 * Sends requests over keep-alive connections, one at a time on each.
 * @throws Error when an answer is not 2xx, or when the answer to a batch refuses an event
 */
export async function send(requests: readonly PreparedRequest[], options: SendOptions): Promise<SendResult> {
  const { origin, path, connections, seconds, repeat, perSecond } = options;
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latencies: number[] = [];
  let next = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;

  const sendInTurn = async () => {
    for (;;) {
      const request = requests[repeat ? next % requests.length : next];
      const dueInMs = perSecond === undefined ? 0 : startedAt + (next * 1000) / perSecond - performance.now();
      if (request === undefined || performance.now() + dueInMs >= deadline) return;
      next += 1;
      if (dueInMs > 0) await sleep(dueInMs);
      const sentAt = performance.now();
      await post(pool, path, request);
      latencies.push(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, sendInTurn));
    const elapsed = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const sorted = Float64Array.from(latencies).sort();
    return {
      requests: latencies.length,
      seconds: elapsed,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      clientCpuSeconds: (user + system) / 1e6,
    };
  } finally {
    await pool.close();
  }
}

/** `dispatch` with its own handler costs a third of `request`, which creates streams and promises. */
function post(pool: Pool, path: string, { body, headers }: PreparedRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        if (status < 200 || status > 299) {
          reject(new Error(`${path} answered ${status}: ${Buffer.concat(chunks).toString().slice(0, 300)}`));
        } else if (path.endsWith('/batch') && Buffer.concat(chunks).includes('"error"')) {
          reject(new Error(`${path} refused an event: ${Buffer.concat(chunks).toString().slice(0, 300)}`));
        } else {
          resolve();
        }
      },
      onResponseError: (_controller, error) => reject(error),
    };
    pool.dispatch({ method: 'POST', path, headers, body }, handler);
  });
}
