import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { feedHeadStore } from '../events/index.ts';
import { noteMonitoring } from '../incidents/index.ts';

const THRESHOLD = 10;
const WINDOW_MS = 10 * 60_000;
const MAX_DEVICES = 10_000;

interface Failures {
  /** The newest, as many as it takes. */
  times: number[];
  toldAtMs: number | undefined;
}

/**
 * Opens an incident for a device in whose name 10 requests were refused for their signature within 10 minutes: its key was replaced
 * or stolen, its clock is wrong, or somebody poses as it. Counts in this process, for the 10 000 devices refused last.
 */
export class SignatureFailures {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Refused last comes last. */
  readonly #byDevice = new Map<string, Failures>();
  #written: Promise<void> = Promise.resolve();

  constructor({ database, clock, logger }: { database: Database; clock: Clock; logger: Logger }) {
    this.#database = database;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Counts a refusal. What follows from it is written later: nobody waits, and nothing is thrown. */
  note(tenantId: TenantId, deviceId: string): void {
    const nowMs = this.#clock.now();
    const failures = this.#take(`${tenantId} ${deviceId}`);
    const recent = failures.times.filter((atMs) => atMs > nowMs - WINDOW_MS);
    failures.times = [...recent, nowMs].slice(-THRESHOLD);
    const { times, toldAtMs } = failures;
    if (times.length < THRESHOLD || (toldAtMs !== undefined && toldAtMs > nowMs - WINDOW_MS)) return;
    failures.toldAtMs = nowMs;
    this.#written = this.#written
      .then(() => this.#tell(tenantId, deviceId, nowMs))
      .catch((error: unknown) => {
        // The next refusal tries again.
        failures.toldAtMs = undefined;
        this.#logger.warn({ err: error, tenantId, deviceId }, 'failing signatures could not be told');
      });
  }

  /** Resolves when everything that was noticed so far is written. */
  async settle(): Promise<void> {
    await this.#written;
  }

  #take(key: string): Failures {
    const failures = this.#byDevice.get(key) ?? { times: [], toldAtMs: undefined };
    this.#byDevice.delete(key);
    this.#byDevice.set(key, failures);
    if (this.#byDevice.size > MAX_DEVICES) {
      const [oldest] = this.#byDevice.keys();
      if (oldest !== undefined) this.#byDevice.delete(oldest);
    }
    return failures;
  }

  #tell(tenantId: TenantId, deviceId: string, nowMs: number): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, tenantId);
      await noteMonitoring(tx, tenantId, {
        correlationKey: `signature_failures:${deviceId}`,
        message:
          `At least ${THRESHOLD} requests in the name of device ${deviceId} had an invalid signature within 10 minutes: ` +
          'its key was replaced, its clock is wrong, or somebody poses as it',
        members: [{ kind: 'device', memberId: deviceId }],
        nowMs,
      });
    });
  }
}
