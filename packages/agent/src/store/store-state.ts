import { SEVERITIES } from '@tps/contract/vocabulary';
import type { MemoryHold } from './appending/memory-buffer.ts';
import type { SafeModeReason, StoreState } from './event-store.ts';
import { unsettled } from './outbox/outbox.ts';
import type { UnlockedStore } from './unlocked-store.ts';

/** Adds up how the store is doing. */
export function countsOf(of: {
  store: UnlockedStore | undefined;
  hold: MemoryHold;
  reason: SafeModeReason | undefined;
  budgetBytes: number;
}): StoreState {
  const { store, hold, reason, budgetBytes } = of;
  const dropped = { low: 0, medium: 0, high: 0, critical: 0 };
  for (const severity of SEVERITIES) {
    dropped[severity] = (store?.ledger.dropped[severity] ?? 0) + (hold.dropped[severity] ?? 0);
  }
  const droppedInAll = SEVERITIES.reduce((sum, severity) => sum + dropped[severity], 0);
  const stored = store?.catalog.counts ?? { waiting: 0, archived: 0, refused: 0 };
  return {
    mode: reason === undefined ? 'recording' : 'safe_mode',
    reason,
    heldInMemory: hold.size,
    waiting: stored.waiting + hold.size + (store === undefined ? 0 : inOutboxOnly(store)),
    archived: stored.archived,
    refused: stored.refused,
    dropped,
    undeclared: droppedInAll - (store?.ledger.declared ?? 0),
    damaged: store?.damaged ?? 0,
    usedBytes: store?.ring.usedBytes ?? 0,
    budgetBytes,
  };
}

/** Events of the sealed batch whose segments have left the store. */
function inOutboxOnly({ outbox }: UnlockedStore): number {
  const open = outbox === undefined ? [] : unsettled(outbox);
  return open.filter(({ number }) => outbox?.entries.get(number)?.entry.gone !== false).length;
}
