import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { storeUnavailable } from '../../../database/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { toDerivationSettings } from '../derive/derivation-settings.ts';
import type { AppendedGroup } from './append-group.ts';
import type { AppendAnswer, AppendTask, AppendWorkerSettings } from './append-worker.ts';
import type { Submission } from './submission.ts';

const WORKER_FILE = fileURLToPath(new URL('./append-worker.ts', import.meta.url));
/** Groups of single events and groups of batches may be under way at the same time. SQLite lets them take turns. */
const CONCURRENCY = 2;

/** How long a group may take, in milliseconds. */
export interface GroupLimits {
  /** While a group takes longer than this, others are refused at once. */
  readonly slowMs: number;
  /** A transaction that takes longer than this will not end: its thread is terminated and replaced. */
  readonly endMs: number;
}
const LIMITS: GroupLimits = { slowMs: 10_000, endMs: 30_000 };

export interface AppendThreadOptions {
  readonly config: Pick<Config, 'database' | 'derivation'>;
  readonly logger: Logger;
  readonly limits?: GroupLimits;
  /** The code of the thread. Tests replace it with one that fails. */
  readonly workerFile?: string;
}

/**
 * The thread that appends events. HTTP, signatures and validation stay on the main thread: neither a flush of the disk nor
 * the statements of a transaction hold requests up. A thread that ends is replaced.
 */
export class AppendThread {
  readonly #threads: Piscina;
  readonly #logger: Logger;
  readonly #limits: GroupLimits;
  /** When the groups that are under way began. */
  readonly #startedAtMs = new Set<number>();

  constructor(options: AppendThreadOptions) {
    const { config, logger, limits = LIMITS, workerFile = WORKER_FILE } = options;
    this.#logger = logger;
    this.#limits = limits;
    this.#threads = new Piscina({
      filename: workerFile,
      name: 'append',
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: CONCURRENCY,
      // A thread that sleeps in Atomics.wait would not notice that PostgreSQL closed a connection.
      atomics: 'disabled',
      recordTiming: false,
      execArgv: ['--conditions=source'],
      workerData: {
        databaseUrl: config.database.url.reveal(),
        concurrency: CONCURRENCY,
        derivation: toDerivationSettings(config.derivation),
      } satisfies AppendWorkerSettings,
    });
    this.#threads.on('error', (error) =>
      logger.error({ err: error }, 'writer thread ended; a new one starts'),
    );
  }

  /** Whether a group has been under way for 10 s. Others then do not wait behind it. */
  isStuck(): boolean {
    const [oldestMs = Number.POSITIVE_INFINITY] = this.#startedAtMs;
    return performance.now() - oldestMs > this.#limits.slowMs;
  }

  /**
   * Appends submissions in one transaction, and resolves after its commit.
   * @throws ServiceError `unavailable`: nothing is stored, or the thread ended and it is unknown whether anything is
   */
  async append(submissions: readonly Submission[], nowMs: number): Promise<AppendedGroup> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), this.#limits.endMs);
    const startedAtMs = performance.now();
    this.#startedAtMs.add(startedAtMs);
    try {
      const task: AppendTask = { submissions, nowMs };
      const answer: AppendAnswer = await this.#threads.run(task, { signal: abort.signal });
      if (answer.kind === 'appended') return answer;
      throw storeUnavailable(Object.assign(new Error(answer.reason), { code: answer.reasonCode }));
    } catch (error) {
      if (error instanceof ServiceError || !isEndOfThread(error)) throw error;
      this.#logger.error({ err: error }, 'writer thread ended during a transaction; a new one starts');
      throw new ServiceError(
        'unavailable',
        'Storing this was interrupted, and it may be stored. Send the same request again',
        { cause: error, retryAfterSeconds: 1 },
      );
    } finally {
      clearTimeout(timer);
      this.#startedAtMs.delete(startedAtMs);
    }
  }

  async close(): Promise<void> {
    await this.#threads.destroy();
  }
}

/** Piscina has no class for these errors. */
function isEndOfThread(error: unknown): boolean {
  const { message, name } = Object(error) as { message?: unknown; name?: unknown };
  return (
    name === 'AbortError' || /^(Terminating worker thread|worker exited with code)/.test(String(message))
  );
}
