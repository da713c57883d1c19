import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { FeedSpan } from './feed-store.ts';

/** A stored event, and the columns that filters compare. */
export interface TailEntry {
  readonly position: number;
  /** The stored JSON text. */
  readonly body: string;
  readonly receivedAtMs: number;
  readonly timestampMs: number;
  readonly deviceId: string;
  readonly category: string;
  readonly severity: string;
}

/** Lists the events of a range, oldest first, so that each of many readers can filter them. */
export async function listTail(
  queries: ReadQueries,
  tenantId: TenantId,
  { span, limit }: { span: FeedSpan; limit: number },
): Promise<TailEntry[]> {
  const rows = await queries.db
    .selectFrom('events')
    .select(['position', 'body', 'received_at', 'timestamp', 'device_id', 'threat_category', 'severity'])
    .where('tenant_id', '=', tenantId)
    .where('position', '>', span.after)
    .where('position', '<=', span.until)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: row.position,
    body: row.body,
    receivedAtMs: row.received_at,
    timestampMs: row.timestamp,
    deviceId: row.device_id,
    category: row.threat_category,
    severity: row.severity,
  }));
}
