import { randomBytes } from 'node:crypto';
import { ServiceError } from '../platform/service-error.ts';
import type { Database } from './database.ts';
import * as settingsStore from './settings-store.ts';

const SETTING = 'write_probe';
/** A store that accepted a write accepts others for this long, unless one fails. */
const TRUSTED_MS = 5_000;
/** After a failure: more than the space that the failed write had claimed already and the next one gets for free. */
const LARGE_BYTES = 64 * 1024;

/** Adds to a store the check that it accepts writes: reads succeed on a full disk too. */
export function withWriteProbe(database: Omit<Database, 'assertWritable'>): Database {
  let provenAtMs = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let running: Promise<void> | undefined;

  /** Runs a write, and remembers if it failed because of the store. */
  const watched = async <R>(write: () => Promise<R>): Promise<R> => {
    try {
      return await write();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unavailable') {
        provenAtMs = Number.NEGATIVE_INFINITY;
        hasFailed = true;
      }
      throw error;
    }
  };
  const transaction: Database['transaction'] = (work, options) =>
    watched(() => database.transaction(work, options));
  const probe = async () => {
    const value = hasFailed ? randomBytes(LARGE_BYTES).toString('base64') : randomBytes(8).toString('base64');
    await transaction((tx) => settingsStore.save(tx, SETTING, value), { idempotent: true });
    provenAtMs = performance.now();
    hasFailed = false;
  };
  return {
    ...database,
    transaction,
    inTurn: (work) => watched(() => database.inTurn(work)),
    async assertWritable() {
      await database.ping();
      if (performance.now() - provenAtMs < TRUSTED_MS) return;
      running ??= probe().finally(() => {
        running = undefined;
      });
      await running;
    },
  };
}
