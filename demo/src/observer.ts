import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert, Client, Incident, Threat } from '@tps/client';
import type { Progress } from './progress.ts';

const POLL_MS = 250;
const PAGE_SIZE = 500;

/** What one poll read for the first time, oldest first. */
export interface NewItems {
  readonly alerts: readonly Alert[];
  readonly threats: readonly Threat[];
  readonly incidents: readonly Incident[];
}

/**
 * Polls the service as an integrator while devices send: the feed by cursor, and new alerts, threats and incidents.
 * Returns a function that stops after one more poll.
 */
export function startObserver(
  client: Client,
  options: { progress: Progress; signal: AbortSignal; onNew: (items: NewItems) => void },
): () => Promise<void> {
  const { progress, signal, onNew } = options;
  let cursor: string | null = null;
  let isStopping = false;

  const poll = async () => {
    const events = client.events.list({ limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) });
    for await (const event of events) progress.feed.push(event);
    cursor = events.cursor ?? cursor;
    onNew({
      alerts: await keepNew(client.alerts.list(), progress.alerts, (alert) => alert.alert_id),
      threats: await keepNew(client.threats.list(), progress.threats, (threat) => threat.threat_id),
      incidents: await keepNew(client.incidents.list(), progress.incidents, (incident) => incident.id),
    });
  };
  const run = async () => {
    while (!isStopping) {
      await poll();
      await sleep(POLL_MS, undefined, { signal });
    }
    await poll();
  };
  const ended = run();
  // The returned function passes a failure on. Until it is called, a failure must not end the process.
  ended.catch(() => undefined);
  return () => {
    isStopping = true;
    return ended;
  };
}

/** Reads a list, newest first, up to the first known item. */
async function keepNew<Item>(
  list: AsyncIterable<Item>,
  known: Map<string, Item>,
  toId: (item: Item) => string,
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of list) {
    if (known.has(toId(item))) break;
    found.unshift(item);
  }
  for (const item of found) known.set(toId(item), item);
  return found;
}
