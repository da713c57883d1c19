import { SEVERITIES } from '@tps/contract/vocabulary';
import type { MemoryBuffer } from './appending/memory-buffer.ts';
import type { SafeModeReason, StoreState } from './event-store.ts';
import { unsettled } from './outbox/outbox.ts';
import type { UnlockedStore } from './unlocked-store.ts';

/** Computes the state of the store and the memory buffer. */
export function toStoreState(parts: {
  store: UnlockedStore | undefined;
  buffer: MemoryBuffer;
  reason: SafeModeReason | undefined;
  budgetBytes: number;
}): StoreState {
  const { store, buffer, reason, budgetBytes } = parts;
  const dropped = { low: 0, medium: 0, high: 0, critical: 0 };
  for (const severity of SEVERITIES) {
    dropped[severity] = (store?.journalState.dropped[severity] ?? 0) + (buffer.dropped[severity] ?? 0);
  }
  const droppedInAll = SEVERITIES.reduce((sum, severity) => sum + dropped[severity], 0);
  const missing = store?.journalState.missing ?? { records: 0, undelivered: 0 };
  const stored = store?.catalog.counts ?? { waiting: 0, archived: 0, refused: 0 };
  return {
    mode: reason === undefined ? 'recording' : 'safe_mode',
    reason,
    heldInMemory: buffer.size,
    waiting: stored.waiting + buffer.size + (store === undefined ? 0 : inOutboxOnly(store)),
    archived: stored.archived,
    refused: stored.refused,
    dropped,
    undeclared: droppedInAll + missing.undelivered - (store?.journalState.declared ?? 0),
    damaged: store?.damaged ?? 0,
    missing: missing.records,
    usedBytes: store?.ring.usedBytes ?? 0,
    budgetBytes,
  };
}

/** Counts the events of the sealed batch whose segments were deleted. */
function inOutboxOnly({ outbox }: UnlockedStore): number {
  const open = outbox === undefined ? [] : unsettled(outbox);
  return open.filter(({ number }) => outbox?.entries.get(number)?.entry.gone !== false).length;
}
