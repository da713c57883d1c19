import type { AgentStorage } from '../ports/storage.ts';

/** Placeholder until the store's author replaces this file. */
export function openFileStorage(directory: string): Promise<AgentStorage> {
  throw new Error(`not there yet: ${directory}`);
}
