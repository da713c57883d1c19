import { type Event, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract';
import { ACTIONS, PLATFORMS } from '@tps/contract/vocabulary';
import { testEvent } from '@tps/testing/device';
import fc from 'fast-check';
import type { Database } from '../../../database/index.ts';
import { toCanonicalJson } from '../../../platform/canonical-json.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { subjectOf } from '../feed-event.ts';
import { filterKeysOf } from '../filter-keys.ts';

export const HOUR_MS = 3_600_000;
export const NOW_MS = Date.now();

/** The last one is redacted text. */
const INDICATORS = ['sig:a', 'sig:ab', '[email] called'];

export interface StoredFeed {
  readonly event: Event;
  readonly receivedAtMs: number;
  /** Stored as by a version that had no filter keys. */
  readonly isOld?: boolean;
}

/** Inserts events directly into the table, with arrival times chosen by the test. */
export async function storeEvents(
  database: Database,
  tenantId: TenantId,
  events: readonly StoredFeed[],
): Promise<void> {
  const rows = events.map(({ event, receivedAtMs, isOld }, index) => ({
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
    filter_keys: isOld ? null : filterKeysOf(event, subjectOf(event)),
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
        action_taken: fc.constantFrom(...ACTIONS),
        policy_id: fc.constantFrom('pol_a', 'pol_b'),
        indicators: fc.subarray(INDICATORS),
        device_platform: fc.constantFrom(undefined, ...PLATFORMS),
        isOld: fc.boolean(),
        pauseMs: fc.constantFrom(0, 0, 1, HOUR_MS),
        agoMs: fc.constantFrom(-300_000, 0, HOUR_MS, 5 * HOUR_MS),
      }),
      { maxLength: 40 },
    )
    .map((drawn) => {
      let receivedAtMs = NOW_MS - 200 * HOUR_MS;
      return drawn.map(({ pauseMs, agoMs, isOld, device_platform, ...members }): StoredFeed => {
        receivedAtMs += pauseMs;
        const timestamp = new Date(receivedAtMs - agoMs).toISOString();
        const metadata = device_platform && { metadata: { device_platform } };
        const event = testEvent({ tenant_id: tenantId, timestamp, ...members, ...metadata });
        return { receivedAtMs, isOld, event };
      });
    });

const any = (...values: string[]) => fc.constantFrom(...values, ...values.map((value) => `!${value}`));

const FILTERS = {
  severity: any(...SEVERITIES),
  threat_category: any(...THREAT_CATEGORIES.slice(0, 3)),
  device_id: any('dev_a', 'dev_b', 'dev_c'),
  action_taken: any(...ACTIONS),
  policy_id: any('pol_a', 'pol_c'),
  indicator: any(...INDICATORS, 'sig:none'),
  device_platform: any(...PLATFORMS),
  since: fc.integer({ min: -210, max: 50 }),
  received_since: fc.integer({ min: -210, max: 50 }),
} as const;

/** Up to three filters of a request. A `!` precedes a value that is excluded. More filters would hardly ever find an event. */
export const filterOf = fc
  .uniqueArray(fc.constantFrom(...(Object.keys(FILTERS) as (keyof typeof FILTERS)[])), { maxLength: 3 })
  .chain((names) => fc.record({ ...FILTERS }).map((all) => pick(all, names)));

function pick<All extends object>(all: All, names: readonly (keyof All)[]): Partial<All> {
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<All>;
}
