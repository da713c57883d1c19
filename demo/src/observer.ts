import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert, Client, Event, Incident, Threat } from '@tps/client';

const EVERY_MS = 250;
const PAGE = 500;

/** What was read back so far. Derived things are as they were first seen, newest last. */
export interface Observed {
  readonly feed: Event[];
  readonly alerts: Map<string, Alert>;
  readonly threats: Map<string, Threat>;
  readonly incidents: Map<string, Incident>;
}

export interface Observer {
  readonly observed: Observed;
  /** Ends after one more look, when nothing is sent any more. */
  finish(): Promise<void>;
}

/** Reads along while events come in: the feed by cursor, and whatever is newly derived. */
export function startObserver(
  client: Client,
  { signal, onLook }: { signal: AbortSignal; onLook: (fresh: Fresh) => void },
): Observer {
  const observed: Observed = { feed: [], alerts: new Map(), threats: new Map(), incidents: new Map() };
  let cursor: string | null = null;
  let isFinishing = false;

  const look = async () => {
    const events = client.events.list({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    for await (const event of events) observed.feed.push(event);
    cursor = events.cursor ?? cursor;
    const { alerts, threats, incidents } = observed;
    onLook({
      alerts: await keepNew(client.alerts.list(), alerts, (alert) => alert.alert_id),
      threats: await keepNew(client.threats.list(), threats, (threat) => threat.threat_id),
      incidents: await keepNew(client.incidents.list(), incidents, (incident) => incident.id),
    });
  };
  const run = async () => {
    while (!isFinishing) {
      await look();
      await sleep(EVERY_MS, undefined, { signal });
    }
    await look();
  };
  const ended = run();
  // Whoever waits for the end hears of it; until then a failure must not end the process.
  ended.catch(() => undefined);
  return {
    observed,
    async finish() {
      isFinishing = true;
      await ended;
    },
  };
}

/** What one look found for the first time, oldest first. */
export interface Fresh {
  readonly alerts: readonly Alert[];
  readonly threats: readonly Threat[];
  readonly incidents: readonly Incident[];
}

/** Reads a list, newest first, until what is known begins. */
async function keepNew<Item>(
  list: AsyncIterable<Item>,
  known: Map<string, Item>,
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const fresh: Item[] = [];
  for await (const item of list) {
    if (known.has(idOf(item))) break;
    fresh.push(item);
  }
  fresh.reverse();
  for (const item of fresh) known.set(idOf(item), item);
  return fresh;
}
