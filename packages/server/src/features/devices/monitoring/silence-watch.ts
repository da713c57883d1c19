import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { noteSilentDevices } from './detect-silent-devices.ts';

const EVERY_MS = 10 * 60_000;

/** Looks for silent devices every ten minutes, however often it is asked to: each look reads every device. */
export class SilenceWatch {
  readonly #parts: { database: Database; clock: Clock; silentHours: number };
  #nextLookAtMs = 0;

  constructor(parts: { database: Database; clock: Clock; silentHours: number }) {
    this.#parts = parts;
  }

  /** The signal ends a look that is under way. */
  async look(signal?: AbortSignal): Promise<void> {
    const nowMs = this.#parts.clock.now();
    if (nowMs < this.#nextLookAtMs) return;
    this.#nextLookAtMs = nowMs + EVERY_MS;
    await noteSilentDevices({ ...this.#parts, signal });
  }
}
