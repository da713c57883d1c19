import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Client, DeadLetter, Event, Severity, Webhook } from '@tps/client';
import type { Finding } from './check-results.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** Of what severity the receiver that is out of order gets events: the rarest, since each is tried three times. */
const UNLUCKY: Severity = 'low';
const WITHIN_MS = 15_000;

/** Two webhooks beside the fleet: one that works, and one that is out of order until a person repairs it. */
export interface WebhookTrial {
  /** Waits for what is on its way, repairs and replays, and tells how it went. */
  finish(feed: readonly Event[], signal: AbortSignal): Promise<WebhookResults>;
  close(): Promise<void>;
}

export interface WebhookResults {
  readonly arrived: number;
  readonly deadLetters: number;
  readonly replayed: DeadLetter | undefined;
  readonly findings: readonly Finding[];
}

interface Registered {
  readonly receiver: WebhookReceiver;
  readonly webhook: Webhook;
}

export async function startWebhookTrial(client: Client): Promise<WebhookTrial> {
  const working = await register(client, {});
  const unlucky = await register(client, { severity_filter: [UNLUCKY] });
  unlucky.receiver.isOutOfOrder = true;
  return {
    async finish(feed, signal) {
      const pushed = feed.filter((event) => event.action_taken !== 'allow');
      const arrivals = await checkArrivals(working, pushed, signal);
      const isAnyUnlucky = pushed.some(({ severity }) => severity === UNLUCKY);
      const replay = isAnyUnlucky ? await checkReplay(client, unlucky, signal) : undefined;
      return {
        arrived: working.receiver.events.size,
        deadLetters: replay?.deadLetters ?? 0,
        replayed: replay?.replayed,
        findings: [arrivals, ...(replay ? [replay.finding] : [])],
      };
    },
    async close() {
      await Promise.all([working.receiver.close(), unlucky.receiver.close()]);
    },
  };
}

async function register(client: Client, members: { severity_filter?: Severity[] }): Promise<Registered> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const receiver = await startReceiver(secret);
  const webhook = await client.webhooks.create({ url: receiver.url, secret, ...members });
  return { receiver, webhook };
}

async function checkArrivals(
  { receiver }: Registered,
  pushed: readonly Event[],
  signal: AbortSignal,
): Promise<Finding> {
  await waitUntil(() => receiver.events.size >= pushed.length, signal);
  const wrong = pushed.filter((event) => !isDeepStrictEqual(receiver.events.get(event.event_id), event));
  const holds = wrong.length === 0 && receiver.failures === 0 && receiver.events.size === pushed.length;
  return {
    holds,
    text: holds
      ? `Each of the ${pushed.length} warn and block events arrived at the webhook as stored, verified by the client.`
      : `Of ${pushed.length} warn and block events ${wrong.length} did not arrive as stored, ${receiver.failures} did not verify.`,
  };
}

/** The other receiver has failed three times for at least one event by now. It is repaired, and one is replayed. */
async function checkReplay(client: Client, { receiver, webhook }: Registered, signal: AbortSignal) {
  const { webhook_id } = webhook;
  const list = async () => (await client.webhooks.deadLetters.list({ webhook_id, limit: 100 }).page()).data;
  await waitUntil(async () => (await list()).length > 0, signal);
  const [entry, ...others] = await list();
  receiver.isOutOfOrder = false;
  if (entry) await client.webhooks.deadLetters.replay({ entry_id: entry.entry_id });
  const isGone = async () => !(await list()).some(({ entry_id: id }) => id === entry?.entry_id);
  const hasArrived = () => entry !== undefined && receiver.events.has(entry.event_id);
  await waitUntil(async () => hasArrived() && (await isGone()), signal);
  const holds = hasArrived() && (await isGone());
  return {
    deadLetters: others.length + Number(entry !== undefined),
    replayed: entry,
    finding: {
      holds,
      text: holds
        ? `A receiver that was out of order left a dead letter after ${entry?.attempts} attempts; repaired, it got it by replay.`
        : 'The dead letter of a receiver that was out of order did not arrive by replay.',
    },
  };
}

/** Looks until it is so, or it is no use to wait any longer. */
async function waitUntil(isSo: () => boolean | Promise<boolean>, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + WITHIN_MS;
  while (!(await isSo()) && performance.now() < giveUpAt) await sleep(50, undefined, { signal });
}
