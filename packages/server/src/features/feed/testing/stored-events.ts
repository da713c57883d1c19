import { type Event, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract';
import { testEvent } from '@tps/testing/device';
import fc from 'fast-check';
import type { Database } from '../../../database/index.ts';
import { toCanonicalJson } from '../../../platform/canonical-json.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

export const HOUR_MS = 3_600_000;
export const NOW_MS = Date.now();

export interface StoredFeed {
  readonly event: Event;
  readonly receivedAtMs: number;
}

/** Inserts events directly into the table, with arrival times chosen by the test. */
export async function storeEvents(
  database: Database,
  tenantId: TenantId,
  events: readonly StoredFeed[],
): Promise<void> {
  const rows = events.map(({ event, receivedAtMs }, index) => ({
    tenant_id: tenantId,
    position: index + 1,
    event_id: event.event_id,
    received_at: receivedAtMs,
    timestamp: Date.parse(event.timestamp),
    device_id: event.device_id,
    threat_category: event.threat_category,
    severity: event.severity,
    threat_id: null,
    alert_id: null,
    corrects_event_id: null,
    device_chain: 'unchained',
    event_hash: Buffer.alloc(32),
    chain_hash: Buffer.alloc(32),
    signed_digest: Buffer.alloc(32),
    body: toCanonicalJson(event),
  }));
  await database.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += 1000)
      await tx.insertMany('events', rows.slice(from, from + 1000));
    const received_at = events.at(-1)?.receivedAtMs ?? 0;
    await tx.insertMany('feed_heads', [
      { tenant_id: tenantId, position: rows.length, chain_hash: Buffer.alloc(32), received_at },
    ]);
  });
}

/** Arrival times ascend, some shared by several events; decisions lie up to 5 minutes after or hours before arrival. */
export const storedEvents = (tenantId: string) =>
  fc
    .array(
      fc.record({
        severity: fc.constantFrom(...SEVERITIES),
        threat_category: fc.constantFrom(...THREAT_CATEGORIES.slice(0, 2)),
        device_id: fc.constantFrom('dev_a', 'dev_b'),
        pauseMs: fc.constantFrom(0, 0, 1, HOUR_MS),
        agoMs: fc.constantFrom(-300_000, 0, HOUR_MS, 5 * HOUR_MS),
      }),
      { maxLength: 40 },
    )
    .map((drawn) => {
      let receivedAtMs = NOW_MS - 200 * HOUR_MS;
      return drawn.map(({ pauseMs, agoMs, ...members }): StoredFeed => {
        receivedAtMs += pauseMs;
        const timestamp = new Date(receivedAtMs - agoMs).toISOString();
        return { receivedAtMs, event: testEvent({ tenant_id: tenantId, timestamp, ...members }) };
      });
    });

export const filterOf = fc.record(
  {
    severity: fc.constantFrom(...SEVERITIES),
    threat_category: fc.constantFrom(...THREAT_CATEGORIES.slice(0, 3)),
    device_id: fc.constantFrom('dev_a', 'dev_b', 'dev_c'),
    since: fc.integer({ min: -210, max: 50 }),
    received_since: fc.integer({ min: -210, max: 50 }),
  },
  { requiredKeys: [] },
);
