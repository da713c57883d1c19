import type { Event } from '@tps/contract';
import { onTestFinished } from 'vitest';
import type { DeviceKeys } from '../ports/keys.ts';
import type { AgentStorage } from '../ports/storage.ts';
import type { LocalEvent, NewRecord, SealEvents } from '../store/event-store.ts';
import { openEventStore } from '../store/open-event-store.ts';
import type { EventStoreOptions } from '../store/store-options.ts';
import { sha256Hex, type storeGround } from './store-ground.ts';

export const MIB = 1024 * 1024;

function localEvent(number: number, overrides: Partial<LocalEvent> = {}): LocalEvent {
  return {
    event_id: `evt_${number}`,
    type: 'risk.event.created',
    timestamp: '2026-03-02T09:15:03.000Z',
    tenant_id: 'tnt_1',
    device_id: 'dev_1',
    threat_category: 'phishing',
    confidence: 0.97,
    action_taken: 'block',
    policy_id: 'pol_1',
    severity: 'medium',
    description: 'Asked anna@example.org for a password',
    ...overrides,
  };
}

export function newRecord(number: number, overrides: Partial<LocalEvent> = {}): NewRecord {
  const createdAt = '2026-03-02T09:15:03.000Z';
  return { event: localEvent(number, overrides), createdAt, enrichedAt: createdAt };
}

/** Chains events like the agent, but without redaction and canonical JSON. */
export const chainEvents: SealEvents = (events, begin) => {
  let end = begin;
  const sealed = events.map((event): Event => {
    const link = end.hash === undefined ? {} : { previous_event_hash: end.hash };
    const next = { ...event, sequence: end.sequence + 1, ...link };
    end = { sequence: next.sequence, hash: hashOf(next) };
    return next;
  });
  return { events: sealed, end };
};

export function hashOf(event: Event): string {
  return sha256Hex(JSON.stringify(event));
}

type Ground = Pick<Awaited<ReturnType<typeof storeGround>>, 'openStorage'> & { keys: DeviceKeys };

export { storeGround } from './store-ground.ts';

/** Opens a store whose storage is closed with the test. */
export async function openStoreOn(
  ground: Ground,
  options: Partial<EventStoreOptions> & { wrap?: (storage: AgentStorage) => AgentStorage } = {},
) {
  const { wrap = (storage: AgentStorage) => storage, ...overrides } = options;
  const storage = await ground.openStorage();
  onTestFinished(() => storage.close());
  const store = await openEventStore({
    storage: wrap(storage),
    keys: ground.keys,
    clock: { nowMs: () => Date.parse('2026-03-02T10:00:00.000Z') },
    budgetBytes: 4 * MIB,
    memoryBudgetBytes: MIB,
    fsync: 'never',
    sealEvents: chainEvents,
    ...overrides,
  });
  return store;
}

export const WHOLE_BATCH = { maxEvents: 500, maxBytes: MIB } as const;

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}
