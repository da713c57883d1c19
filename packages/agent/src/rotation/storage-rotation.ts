import type { DeviceKeys } from '../ports/keys.ts';
import type { AgentStorage } from '../ports/storage.ts';
import type { EventStore } from '../store/event-store.ts';

/** There from before the first step until after the last. */
const MARK = 'storage-key-rotation';

export interface StorageRotation {
  rotate(): Promise<void>;
  /** Does a rotation that was interrupted once more, from the beginning: then it is sure to be whole. */
  resume(): Promise<void>;
}

/** Exchanges the key that wraps the data keys. Old storage keys go last, when nothing needs them any more. */
export function createStorageRotation(parts: {
  readonly keys: DeviceKeys;
  readonly store: Pick<EventStore, 'rewrap' | 'state'>;
  readonly storage: AgentStorage;
}): StorageRotation {
  const { keys, store, storage } = parts;
  const rotate = async () => {
    await storage.replace(MARK, new Uint8Array());
    await keys.rotateStorageKey();
    await store.rewrap();
    await keys.forgetOldStorageKeys();
    await storage.remove(MARK);
  };
  return {
    rotate,
    resume: async () => {
      try {
        const isInterrupted = (await storage.list()).some(({ name }) => name === MARK);
        if (isInterrupted && store.state().mode === 'recording') await rotate();
      } catch {
        // Keys or disk are out of reach for now. The mark stays, and the agent opens.
      }
    },
  };
}
