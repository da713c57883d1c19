import type { AgentClock } from '../ports/clock.ts';
import type { DeviceKeys } from '../ports/keys.ts';
import type { AgentStorage } from '../ports/storage.ts';
import type { FsyncPolicy, SealEvents } from './event-store.ts';

export interface EventStoreOptions {
  readonly storage: AgentStorage;
  readonly keys: DeviceKeys;
  readonly clock: Pick<AgentClock, 'nowMs'>;
  /** Disk space for everything, by file size. At least 1 MiB. */
  readonly budgetBytes: number;
  /** Memory for events that cannot be stored, in safe mode. */
  readonly memoryBudgetBytes: number;
  readonly fsync: FsyncPolicy;
  readonly sealEvents: SealEvents;
  readonly onNotice?: (notice: StoreNotice) => void;
}

export interface StoreNotice {
  readonly kind: 'safe_mode' | 'recovered' | 'dropped' | 'damaged' | 'missing';
  /** One sentence for a person. Holds no event content. */
  readonly message: string;
}

export const MIN_BUDGET_BYTES = 1024 * 1024;

/** Returns the size of a segment: small, so that deleting one loses little; large, so that there are few. */
export function segmentBytesFor(budgetBytes: number): number {
  return Math.min(Math.max(Math.floor(budgetBytes / 32), 32 * 1024), 1024 * 1024);
}
