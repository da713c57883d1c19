import { createHash } from 'node:crypto';
import { openDatabase } from '@tps/server/store';

/** A row of the feed in the store. */
export interface FeedRow {
  readonly position: number;
  readonly event_id: string;
  readonly body: string;
  readonly event_hash: Uint8Array;
  readonly chain_hash: Uint8Array;
}

/** Reads a tenant's feed and its recorded end directly from the store, while the service runs. */
export async function readFeedTable(url: string, tenantId: string) {
  const database = await openDatabase(url, { poolSize: 1, exclusive: false });
  try {
    const rows: FeedRow[] = await database.read.db
      .selectFrom('events')
      .select(['position', 'event_id', 'body', 'event_hash', 'chain_hash'])
      .where('tenant_id', '=', tenantId)
      .orderBy('position')
      .execute();
    const head = await database.read.db
      .selectFrom('feed_heads')
      .select(['position', 'chain_hash'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    return { rows, head };
  } finally {
    await database.close();
  }
}

/** Returns the first position that breaks the order or the hash chain, which is recomputed from the stored texts. */
export function findBrokenLink(rows: readonly FeedRow[]): string | undefined {
  let chain: Buffer = Buffer.alloc(32);
  for (const [index, row] of rows.entries()) {
    if (row.position !== index + 1) return `position ${row.position} follows ${index}`;
    const eventHash = sha256(Buffer.from(row.body));
    if (!eventHash.equals(row.event_hash)) return `position ${row.position}: the text is not what was hashed`;
    chain = sha256(Buffer.concat([chain, eventHash]));
    if (!chain.equals(row.chain_hash)) return `position ${row.position}: the chain does not link`;
  }
  return undefined;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
