import type { Client, IncidentBulk } from '@tps/client';
import type { BulkChange, BulkChunk, BulkResult } from '../../../kit/index.ts';

type Change = IncidentBulk['change'];

/** Changes one chunk of incidents. */
export function changeIncidents(
  client: Client,
  { target, cursor, signal }: Omit<BulkChange<unknown>, 'input'>,
  change: Change,
): Promise<BulkChunk> {
  const selected = 'ids' in target ? { ids: [...target.ids] } : { filter: { ...target.filter } };
  return client.incidents.bulk({ ...selected, change, ...(cursor !== null && { cursor }) }, { signal });
}

/** The most items of one request. */
const MAX_ITEMS = 100;

/** Changes incidents back to their previous values. Those that another person has changed since are refused. */
export async function undoIncidents(
  client: Client,
  results: readonly BulkResult[],
  signal: AbortSignal,
): Promise<readonly BulkResult[]> {
  const outcome: BulkResult[] = [];
  for (const { change, items } of groupByPrevious(results)) {
    for (let from = 0; from < items.length; from += MAX_ITEMS) {
      const part = items.slice(from, from + MAX_ITEMS);
      const { results: undone } = await client.incidents.bulk(
        { ids: part.map(({ id }) => id), versions: part.map(({ version }) => version), change },
        { signal },
      );
      outcome.push(...undone);
    }
  }
  return outcome;
}

/** Groups what was changed by its previous values, because a request makes one change. */
export function groupByPrevious(results: readonly BulkResult[]) {
  const groups = new Map<string, { change: Change; items: { id: string; version: number }[] }>();
  for (const { id, previous, version } of results) {
    if (previous === undefined || version === undefined) continue;
    const key = JSON.stringify(previous);
    const group = groups.get(key) ?? { change: toChange(previous as object), items: [] };
    group.items.push({ id, version });
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A resolution is undone by the change of status alone. */
function toChange(previous: object): Change {
  const { resolution: _resolution, ...change } = previous as Change;
  return change;
}
