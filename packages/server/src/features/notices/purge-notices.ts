import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Database } from '../../database/index.ts';
import { firstIdAt } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { RETENTION_MS } from './notice.ts';
import * as noticeStore from './notice-store.ts';

/** Small enough not to delay events. */
const PURGED_AT_ONCE = 500;

/** Purges the notices of a tenant that are past their retention, in small transactions, and only if there are any. */
export async function purgeNotices(database: Database, tenantId: TenantId, nowMs: number): Promise<void> {
  const oldest = {
    firstKeptId: firstIdAt(ID_PREFIXES.notice, nowMs - RETENTION_MS),
    limit: PURGED_AT_ONCE,
  };
  for (;;) {
    const noticeIds = await noticeStore.listBefore(database.read, tenantId, oldest);
    if (noticeIds.length === 0) return;
    await database.transaction((tx) => noticeStore.removeMany(tx, tenantId, noticeIds));
  }
}
