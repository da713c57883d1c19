import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RecordSource } from './record-source.ts';
import { keyOf, type SearchedWindow } from './subject-rows-store.ts';
import { readThreatSizes } from './threat-size-read-model.ts';

/**
 * The most events that one transaction reads to count threats again, unless a single threat has more.
 * Measured with one threat of 1,000 events of 700 bytes, on a shared machine with two cores: 14 to 20 ms to read it on
 * SQLite, in one statement that does not give way, and 26 to 80 ms on PostgreSQL. A step that erases 50 of its events
 * took 70 to 250 ms, and the event loop never waited for more than 90 ms.
 */
const EVENTS_PER_TRANSACTION = 1_000;
const RECOUNTED: ReadonlySet<RecordSource['removal']> = new Set(['event', 'alert', 'threat']);

/** Leaves the last records of a window to later steps if their threats have too many events to read at once. */
export async function boundReads(
  read: ReadQueries,
  tenantId: TenantId,
  { source, window }: { source: RecordSource; window: SearchedWindow },
): Promise<SearchedWindow> {
  if (!RECOUNTED.has(source.removal)) return window;
  const threatIds = window.rows.map((row) => (row.threat_id === null ? null : String(row.threat_id)));
  const sizes = await readThreatSizes(read, tenantId, [...new Set(threatIds.filter((id) => id !== null))]);
  const counted = new Set<string>();
  let events = 0;
  for (const [at, threatId] of threatIds.entries()) {
    if (threatId === null || counted.has(threatId)) continue;
    counted.add(threatId);
    events += sizes.get(threatId) ?? 0;
    const before = window.rows[at - 1];
    if (events > EVENTS_PER_TRANSACTION && before)
      return { rows: window.rows.slice(0, at), until: keyOf(source, before) };
  }
  return window;
}
