import { ApiError, type Client, type NewIndicator, type ThreatIndicator } from '@tps/client';
import type { BulkChunk, BulkResult, BulkTarget, ListQuery } from '../../kit/index.ts';
import { fromRowId, toRowId } from './indicator-id.ts';

const CHUNK = 100;
/** Of a filter, the items that one chunk reads. */
interface Chunk {
  readonly items: readonly ThreatIndicator[];
  readonly next: string | null;
}

/** What undoing the expiry of an indicator takes. */
interface Previous {
  readonly source: string;
  readonly indicator: NewIndicator;
}

/** Ends the validity of a chunk of indicators now. Devices stop matching them when they next fetch the bundle. */
export async function expireChunk(
  client: Client,
  change: { target: BulkTarget; cursor: string | null; signal: AbortSignal },
): Promise<BulkChunk> {
  const { items, next } = await readChunk(client, change);
  const own = items.filter(({ scope }) => scope === 'tenant');
  const valid_until = new Date().toISOString();
  const expired = own.map((item) => {
    const { valid_from, ...rest } = toNewIndicator(item);
    const hasBegun = valid_from !== undefined && Date.parse(valid_from) < Date.parse(valid_until);
    return {
      source: item.source,
      indicator: { ...rest, ...(hasBegun ? { valid_from } : {}), valid_until },
    };
  });
  await importBySource(client, expired, change.signal);
  return {
    results: items.map((item) => ({
      id: toRowId(item),
      ...(item.scope === 'tenant'
        ? {
            status: 200,
            previous: { source: item.source, indicator: toNewIndicator(item) } satisfies Previous,
          }
        : refused('Only the operator can change indicators of all tenants.')),
    })),
    next_cursor: next,
  };
}

/** Takes an expiry back. */
export async function restoreIndicators(
  client: Client,
  results: readonly BulkResult[],
  signal: AbortSignal,
): Promise<readonly BulkResult[]> {
  const previous = results.flatMap((result) =>
    result.previous === undefined ? [] : [result.previous as Previous],
  );
  await importBySource(client, previous, signal);
  return results;
}

/** Removes a chunk of indicators, each in its own outcome. */
export async function removeChunk(
  client: Client,
  change: { target: BulkTarget; cursor: string | null; signal: AbortSignal },
): Promise<BulkChunk> {
  const { items, next } = await readChunk(client, change);
  const results: BulkResult[] = [];
  for (const item of items) results.push(await removeOne(client, item, change.signal));
  return { results, next_cursor: next };
}

async function removeOne(client: Client, item: ThreatIndicator, signal: AbortSignal): Promise<BulkResult> {
  const id = toRowId(item);
  const { scope, source, type, value } = item;
  if (scope === 'global')
    return { id, ...refused('Only the operator can change indicators of all tenants.') };
  try {
    await client.indicators.remove({ source, type, value, signal });
    return { id, status: 200 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { id, status: error.status, error: { code: error.code, message: error.message } };
  }
}

function refused(message: string): Pick<BulkResult, 'status' | 'error'> {
  return { status: 403, error: { code: 'insufficient_scope', message } };
}

async function readChunk(
  client: Client,
  { target, cursor, signal }: { target: BulkTarget; cursor: string | null; signal: AbortSignal },
): Promise<Chunk> {
  if ('ids' in target) return { items: await findAll(client, target.ids, signal), next: null };
  const filter: ListQuery = target.filter;
  const page = await client.indicators.list({ ...filter, limit: CHUNK, cursor, signal }).page();
  return { items: page.data, next: page.has_more ? page.next_cursor : null };
}

/** Reads chosen indicators again: their content may have changed since the list was read. */
async function findAll(
  client: Client,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ThreatIndicator[]> {
  const names = ids.map(fromRowId);
  const wanted = names.map(({ type, value }) => ({ type, value }));
  const { results } = await client.indicators.check({ indicators: wanted }, { signal });
  return results.flatMap(({ known }, index) => {
    const name = names[index];
    return known.filter(({ scope, source }) => scope === name?.scope && source === name.source);
  });
}

async function importBySource(
  client: Client,
  changes: readonly Previous[],
  signal: AbortSignal,
): Promise<void> {
  for (const source of new Set(changes.map((change) => change.source))) {
    const indicators = changes.filter((change) => change.source === source).map(({ indicator }) => indicator);
    await client.indicators.import({ source, indicators }, { signal });
  }
}

function toNewIndicator({ scope: _scope, source: _source, ...indicator }: ThreatIndicator): NewIndicator {
  return indicator;
}
