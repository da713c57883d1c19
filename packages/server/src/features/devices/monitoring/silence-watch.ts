import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { detectSilentDevices } from './detect-silent-devices.ts';

const EVERY_MS = 10 * 60_000;

/** Scans for silent devices at most every ten minutes: each scan reads every device. */
export class SilenceWatch {
  readonly #parts: { database: Database; clock: Clock; silentHours: number };
  #nextCheckAtMs = 0;

  constructor(parts: { database: Database; clock: Clock; silentHours: number }) {
    this.#parts = parts;
  }

  /** The signal ends the current scan. */
  async checkIfDue(signal?: AbortSignal): Promise<void> {
    const nowMs = this.#parts.clock.now();
    if (nowMs < this.#nextCheckAtMs) return;
    this.#nextCheckAtMs = nowMs + EVERY_MS;
    await detectSilentDevices({ ...this.#parts, signal });
  }
}
