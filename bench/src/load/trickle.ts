import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { monotonicMs } from '../monotonic-clock.ts';
import type { PreparedRequest } from './signed-fleet.ts';

export interface TrickleOptions {
  readonly origin: string;
  readonly perSecond: number;
}

/** An event that webhooks receive, with the times of its request on the clock that all processes share. */
export interface SentEvent {
  readonly eventId: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}

/**
 * Sends single events at a steady pace, whether or not the previous one was answered. Returns those that webhooks
 * receive.
 * @throws Error when an answer is not 201
 */
export async function trickle(
  requests: readonly PreparedRequest[],
  { origin, perSecond }: TrickleOptions,
): Promise<SentEvent[]> {
  const pool = new Pool(origin, { connections: 8, pipelining: 1 });
  const startedAtMs = monotonicMs();
  try {
    const sent = await Promise.all(
      requests.map(async ({ body, headers }, index) => {
        await sleep(startedAtMs + (index * 1000) / perSecond - monotonicMs());
        const sentAtMs = monotonicMs();
        const answer = await pool.request({ method: 'POST', path: '/events', headers, body });
        const answeredAtMs = monotonicMs();
        const text = await answer.body.text();
        if (answer.statusCode !== 201) throw new Error(`/events answered ${answer.statusCode}: ${text}`);
        const event = JSON.parse(body.toString()) as { event_id: string; action_taken: string };
        return { eventId: event.event_id, isPushed: event.action_taken !== 'allow', sentAtMs, answeredAtMs };
      }),
    );
    return sent.filter(({ isPushed }) => isPushed);
  } finally {
    await pool.close();
  }
}
