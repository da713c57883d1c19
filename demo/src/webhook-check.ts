import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  createMemoryEventIdStore,
  type DeadLetter,
  type Event,
  nodeWebhookListener,
  type Severity,
  type VerifiedWebhook,
  type Webhook,
} from '@tps/client';
import type { Check } from './check-results.ts';

/** The broken receiver gets events of this severity only: each is tried three times, and this is the rarest. */
const SEVERITY_OF_BROKEN: Severity = 'low';
const WAIT_MS = 15_000;

export interface WebhookResults {
  readonly delivered: number;
  readonly deadLetters: number;
  readonly replayed: DeadLetter | undefined;
  readonly checks: readonly Check[];
}

/** A customer's receiver: verifies each delivery with the client, and keeps each event once. */
interface Receiver {
  readonly webhook: Webhook;
  readonly events: ReadonlyMap<string, VerifiedWebhook['event']>;
  /** While true, it answers 503. */
  isBroken: boolean;
  /** Deliveries that were refused because they did not verify. */
  refused: number;
  close(): void;
}

/** Registers two webhooks: one whose receiver works, and one whose receiver is broken until it is repaired at the end. */
export async function startWebhooks(client: Client) {
  const working = await startReceiver(client, {});
  const broken = await startReceiver(client, { severity_filter: [SEVERITY_OF_BROKEN] });
  broken.isBroken = true;
  return {
    /** Waits for all deliveries, then repairs the broken receiver and replays a dead letter. */
    async check(feed: readonly Event[], signal: AbortSignal): Promise<WebhookResults> {
      const pushed = feed.filter((event) => event.action_taken !== 'allow');
      const checks = [await checkDeliveries(working, pushed, signal)];
      const delivered = working.events.size;
      if (!pushed.some(({ severity }) => severity === SEVERITY_OF_BROKEN)) {
        return { delivered, deadLetters: 0, replayed: undefined, checks };
      }
      const { check, ...replay } = await checkReplay(client, broken, signal);
      return { delivered, ...replay, checks: [...checks, check] };
    },
    close() {
      working.close();
      broken.close();
    },
  };
}

async function startReceiver(client: Client, filter: { severity_filter?: Severity[] }): Promise<Receiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const events = new Map<string, VerifiedWebhook['event']>();
  const listener = nodeWebhookListener({
    secrets: [secret],
    store: createMemoryEventIdStore(),
    onEvent: ({ eventId, event }) => void events.set(eventId, event),
    onError: (error) => console.error(error),
  });
  const server = createServer(async (request, response) => {
    if (receiver.isBroken) return void response.writeHead(503).end();
    await listener(request, response);
    if (response.statusCode >= 400) receiver.refused += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const webhook = await client.webhooks.create({ url, secret, ...filter });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const receiver: Receiver = { webhook, events, isBroken: false, refused: 0, close };
  return receiver;
}

async function checkDeliveries(
  receiver: Receiver,
  pushed: readonly Event[],
  signal: AbortSignal,
): Promise<Check> {
  await waitUntil(() => receiver.events.size >= pushed.length, signal);
  const wrong = pushed.filter((event) => !isDeepStrictEqual(receiver.events.get(event.event_id), event));
  const holds = wrong.length === 0 && receiver.refused === 0 && receiver.events.size === pushed.length;
  return {
    holds,
    text: holds
      ? `Each of the ${pushed.length} warn and block events reached the webhook as stored, verified by the client.`
      : `Of ${pushed.length} warn and block events ${wrong.length} did not arrive as stored, ${receiver.refused} did not verify.`,
  };
}

async function checkReplay(client: Client, receiver: Receiver, signal: AbortSignal) {
  const { webhook_id } = receiver.webhook;
  const list = async () => (await client.webhooks.deadLetters.list({ webhook_id, limit: 100 }).page()).data;
  await waitUntil(async () => (await list()).length > 0, signal);
  const entries = await list();
  const [entry] = entries;
  receiver.isBroken = false;
  if (entry) await client.webhooks.deadLetters.replay({ entry_id: entry.entry_id });
  const isReplayed = async () =>
    entry !== undefined &&
    receiver.events.has(entry.event_id) &&
    !(await list()).some(({ entry_id }) => entry_id === entry.entry_id);
  await waitUntil(isReplayed, signal);
  const holds = await isReplayed();
  const check = {
    holds,
    text: holds
      ? `A broken receiver left a dead letter after ${entry?.attempts} attempts; once repaired, it received it by replay.`
      : 'The dead letter of the broken receiver did not arrive by replay.',
  };
  return { deadLetters: entries.length, replayed: entry, check };
}

/** Polls until the condition holds or the time is over. */
async function waitUntil(condition: () => boolean | Promise<boolean>, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MS;
  while (!(await condition()) && performance.now() < giveUpAt) await sleep(50, undefined, { signal });
}
