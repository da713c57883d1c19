import type { DeviceKeys } from '../ports/keys.ts';
import type { AgentStorage } from '../ports/storage.ts';
import type { EventStore } from '../store/event-store.ts';

/** This file exists from before the first step until after the last. */
const MARK = 'storage-key-rotation';

export interface StorageRotation {
  rotate(): Promise<void>;
  /** Repeats an interrupted rotation from the start, so that it is certain to be complete. */
  resume(): Promise<void>;
}

/** Rotates the key that wraps the data keys. Old storage keys are destroyed last, when no data key needs them. */
export function createStorageRotation(parts: {
  readonly keys: DeviceKeys;
  readonly store: Pick<EventStore, 'rewrap' | 'state'>;
  readonly storage: AgentStorage;
  /** Rewraps the device's own credential, which is stored under the same storage key. */
  readonly rewrapCredential: () => Promise<void>;
}): StorageRotation {
  const { keys, store, storage, rewrapCredential } = parts;
  const rotate = async () => {
    await storage.replace(MARK, new Uint8Array());
    await keys.rotateStorageKey();
    await store.rewrap();
    await rewrapCredential();
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
        // The keys or the disk are unavailable now. The mark stays, and the agent opens.
      }
    },
  };
}
