import { createHash, randomBytes } from 'node:crypto';
import { openDatabase } from '@tps/server/store';
import { sampleEvent } from '../sample-event.ts';

const ROWS_PER_TRANSACTION = 5000;
const ARRIVAL_EVERY_MS = 20;

/** Fills the empty feed of a tenant through the schema of the service, without its derivation. */
export async function fillFeed(
  url: string,
  { tenantId, count, nowMs }: { tenantId: string; count: number; nowMs: number },
): Promise<void> {
  const database = await openDatabase(url, { exclusive: false });
  try {
    let chainHash: Buffer = Buffer.alloc(32);
    for (let from = 1; from <= count; from += ROWS_PER_TRANSACTION) {
      const until = Math.min(count, from + ROWS_PER_TRANSACTION - 1);
      const rows: ReturnType<typeof toRow>[] = [];
      for (let position = from; position <= until; position += 1) {
        const atMs = nowMs - (count - position) * ARRIVAL_EVERY_MS;
        const row = toRow({ tenantId, position, atMs, chainHash });
        chainHash = row.chain_hash;
        rows.push(row);
      }
      const head = { tenant_id: tenantId, position: until, chain_hash: chainHash, received_at: nowMs };
      await database.transaction(async (tx) => {
        await tx.insertMany('events', rows);
        await tx.upsertMany('feed_heads', ['tenant_id'], [head]);
      });
    }
  } finally {
    await database.close();
  }
}

function toRow(parts: { tenantId: string; position: number; atMs: number; chainHash: Buffer }) {
  const { tenantId, position, atMs, chainHash } = parts;
  const event = sampleEvent(position, { tenantId, deviceId: `dev_bench-${position % 400}`, nowMs: atMs });
  const body = JSON.stringify(event);
  const eventHash = sha256(Buffer.from(body));
  return {
    tenant_id: tenantId,
    position,
    event_id: event.event_id,
    received_at: atMs,
    timestamp: atMs,
    device_id: event.device_id,
    threat_category: event.threat_category,
    severity: event.severity,
    threat_id: `thr_${randomBytes(16).toString('hex').slice(0, 26)}`,
    alert_id: null,
    corrects_event_id: null,
    device_chain: 'unchained',
    event_hash: eventHash,
    chain_hash: sha256(Buffer.concat([chainHash, eventHash])),
    signed_digest: eventHash,
    body,
  };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
