import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert, Event, Incident, Threat } from '@tps/contract';
import type { ApiReader } from './api-reader.ts';

const EVERY_MS = 250;

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
  reader: ApiReader,
  { signal, onLook }: { signal: AbortSignal; onLook: (fresh: Fresh) => void },
): Observer {
  const observed: Observed = { feed: [], alerts: new Map(), threats: new Map(), incidents: new Map() };
  let cursor: string | undefined;
  let isFinishing = false;

  const look = async () => {
    const page = await reader.readFeed(cursor);
    cursor = page.cursor;
    observed.feed.push(...page.events);
    const { alerts, threats, incidents } = observed;
    onLook({
      alerts: await keepNew(reader, '/alerts', { known: alerts, idOf: (alert) => alert.alert_id }),
      threats: await keepNew(reader, '/threats', { known: threats, idOf: (threat) => threat.threat_id }),
      incidents: await keepNew(reader, '/incidents', { known: incidents, idOf: (incident) => incident.id }),
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

async function keepNew<Item>(
  reader: ApiReader,
  path: string,
  { known, idOf }: { known: Map<string, Item>; idOf: (item: Item) => string },
): Promise<Item[]> {
  const fresh = await reader.listNew<Item>(path, (item) => known.has(idOf(item)));
  fresh.reverse();
  for (const item of fresh) known.set(idOf(item), item);
  return fresh;
}
