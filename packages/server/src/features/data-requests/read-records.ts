import type { DataRecord } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import type { ReadQueries } from '../../database/index.ts';
import type { CursorPosition } from '../../platform/http/cursors.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { DataRequestRecord } from './data-request.ts';
import { RECORD_SOURCES, type RecordSource } from './record-source.ts';
import { matcherOf, type Subject } from './subject.ts';
import { type Key, type Row, searchWindow } from './subject-rows-store.ts';

/** Windows that one page searches at most, so that its cost is bounded even if nothing is found. */
const MAX_WINDOWS = 20;
const TIME = /(?:^|_)at$|^timestamp$/;

/** Some records of an export, and the position after which it continues; undefined at the end. */
export interface RecordPart {
  readonly records: readonly DataRecord[];
  readonly next: CursorPosition | undefined;
}

/** Reads records about a subject, source by source. */
export async function readRecords(
  read: ReadQueries,
  { tenantId, untilPosition }: DataRequestRecord,
  { subject, after, limit }: { subject: Subject; after: CursorPosition | undefined; limit: number },
): Promise<RecordPart> {
  const matcher = matcherOf(subject);
  const records: DataRecord[] = [];
  let stage = Number(after?.[0] ?? 0);
  let key: Key | undefined = after !== undefined && after.length > 1 ? after.slice(1) : undefined;
  for (let windows = 0; windows < MAX_WINDOWS && records.length < limit; windows += 1) {
    const source = RECORD_SOURCES[stage];
    if (source === undefined) return { records, next: undefined };
    await new Promise(setImmediate);
    const found = await searchWindow(read, tenantId, {
      source,
      matcher,
      after: key,
      untilPosition,
      limit: limit - records.length,
    });
    records.push(...found.rows.map((row) => ({ kind: source.kind, record: toPlain(source, row) })));
    [stage, key] = found.until === undefined ? [stage + 1, undefined] : [stage, found.until];
  }
  return { records, next: stage < RECORD_SOURCES.length ? [stage, ...(key ?? [])] : undefined };
}

/** An event as it was sent to readers; any other row with its columns, times as text and JSON as values. */
function toPlain({ table, hidden = [] }: RecordSource, row: Row): Record<string, unknown> {
  if (table === 'events') return readJson(String(row.body)) as Record<string, unknown>;
  const shown = Object.entries(row).filter(([column]) => column !== 'tenant_id' && !hidden.includes(column));
  return Object.fromEntries(shown.map(([column, value]) => [column, toPlainValue(column, value)]));
}

function toPlainValue(column: string, value: Row[string]): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'number' && TIME.test(column)) return toTimestamp(value);
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
