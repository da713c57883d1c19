import type { EventStore } from './event-store.ts';
import { LocalEventStore } from './local-event-store.ts';
import { type EventStoreOptions, MIN_BUDGET_BYTES } from './store-options.ts';

/**
 * Opens the event store of one device. While the key store is locked or the disk is out of order it opens in safe mode:
 * events are held in memory until `recover` succeeds.
 *
 * @throws KeyError when the keys are not those of this store, or damaged. Nothing was changed then, and the storage is
 * still the caller's to close.
 */
export async function openEventStore(options: EventStoreOptions): Promise<EventStore> {
  if (!(options.budgetBytes >= MIN_BUDGET_BYTES)) {
    throw new TypeError(`budgetBytes must be at least ${MIN_BUDGET_BYTES}`);
  }
  const store = new LocalEventStore(options);
  await store.open();
  return store;
}
