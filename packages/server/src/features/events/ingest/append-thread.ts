import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { storeUnavailable } from '../../../database/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { toDerivationSettings } from '../derive/derivation-settings.ts';
import type { AppendedGroup } from './append-group.ts';
import type { AppendAnswer, AppendTask, AppendWorkerSettings } from './append-task.ts';
import type { Submission } from './submission.ts';

const WORKER_FILE = fileURLToPath(new URL('./append-worker.ts', import.meta.url));
/** Limit on the JavaScript heap of the thread: a transaction needs a few megabytes. */
const HEAP_MB = 256;
/** The pause before the replacement of a thread that ended soon after its start: the next is likely to end too. */
const RESTART_MS = 1_000;

/** How long a group may take, in milliseconds. */
export interface GroupLimits {
  /** While a group takes longer than this, new ones are refused at once. */
  readonly slowMs: number;
  /** A transaction that takes longer than this will not end: its thread is terminated and replaced. */
  readonly endMs: number;
}
const LIMITS: GroupLimits = { slowMs: 10_000, endMs: 30_000 };

export interface AppendThreadOptions {
  readonly config: Pick<Config, 'database' | 'derivation'>;
  readonly logger: Logger;
  readonly limits?: GroupLimits;
  /** Called with the duration of each group. */
  readonly onGroup?: (group: { outcome: 'appended' | 'failed'; seconds: number }) => void;
  /** Called when a thread has ended or does not respond, and is replaced. */
  readonly onRestart?: () => void;
  /** The code of the thread. Tests replace it with one that fails. */
  readonly workerFile?: string;
}

/** A group that the thread has not answered. */
interface PendingGroup {
  readonly resolve: (answer: AppendAnswer) => void;
  readonly reject: (reason: unknown) => void;
  readonly sentAtMs: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Runs the writer thread, which appends events. HTTP, signatures and validation stay on the main thread, so requests do not
 * wait for the flush of a group or for its statements. A thread that ends or does not respond is replaced.
 *
 * Not on Piscina, which runs the scan threads: it gives a thread only one abortable task at a time, and starts no further
 * threads after one has failed to load.
 */
export class AppendThread {
  readonly #options: AppendThreadOptions;
  readonly #limits: GroupLimits;
  /** In the order in which they were sent. */
  readonly #pending = new Map<number, PendingGroup>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: AppendThreadOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    this.#start();
  }

  /** Whether groups are refused at once: there is no thread, or a group has been pending for 10 s. */
  isStuck(): boolean {
    if (!this.#worker) return true;
    for (const { sentAtMs } of this.#pending.values()) {
      return performance.now() - sentAtMs > this.#limits.slowMs;
    }
    return false;
  }

  /**
   * Appends submissions in one transaction, and resolves after its commit. Several calls may be under way.
   * @throws ServiceError `unavailable`: nothing is stored or, if the thread ended, it is unknown whether anything is
   * @throws Error for a failure of the work itself: nothing is stored
   */
  async append(submissions: readonly Submission[], nowMs: number): Promise<AppendedGroup> {
    const sentAtMs = performance.timeOrigin + performance.now();
    const answer = await this.#observed(this.#ask({ submissions, nowMs, sentAtMs }));
    if (answer.kind === 'appended') return answer;
    const { kind, message, stack, code } = answer;
    const error = Object.assign(new Error(message), { stack, code });
    throw kind === 'unavailable' ? storeUnavailable(error) : error;
  }

  /** Ends the thread. Groups that are under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  async #observed(asking: Promise<AppendAnswer>): Promise<AppendAnswer> {
    const startedMs = performance.now();
    let outcome: 'appended' | 'failed' = 'failed';
    try {
      const answer = await asking;
      if (answer.kind === 'appended') outcome = 'appended';
      return answer;
    } finally {
      this.#options.onGroup?.({ outcome, seconds: (performance.now() - startedMs) / 1000 });
    }
  }

  #ask(task: AppendTask): Promise<AppendAnswer> {
    const worker = this.#worker;
    if (!worker) return Promise.reject(storeUnavailable(new Error('The writer thread is being replaced.')));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#options.logger.error({ ms: this.#limits.endMs }, 'writer thread did not respond');
        // A thread that is blocked in a system call ends only when the call returns. Its replacement does not wait for that.
        void worker.terminate();
        this.#replace(worker, 0);
      }, this.#limits.endMs);
      this.#pending.set(id, { resolve, reject, sentAtMs: performance.now(), timer });
      worker.postMessage({ id, task });
    });
  }

  #start(): void {
    const { config, logger, workerFile = WORKER_FILE } = this.#options;
    const startedAtMs = performance.now();
    const worker = new Worker(workerFile, {
      name: 'append',
      execArgv: ['--conditions=source'],
      env: withoutSecrets(process.env),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      workerData: {
        databaseUrl: config.database.url.reveal(),
        derivation: toDerivationSettings(config.derivation),
      } satisfies AppendWorkerSettings,
    });
    this.#worker = worker;
    worker.on('message', ({ id, answer }: { id: number; answer: AppendAnswer }) => this.#settle(id, answer));
    worker.on('error', (error) => logger.error({ err: error }, 'writer thread failed'));
    worker.on('exit', () => {
      const hasLived = performance.now() - startedAtMs > RESTART_MS;
      if (this.#worker === worker) this.#replace(worker, hasLived ? 0 : RESTART_MS);
    });
    // Only requests wait for the thread, and they keep the process alive.
    worker.unref();
  }

  #settle(id: number, answer: AppendAnswer): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.resolve(answer);
  }

  /** Fails the pending groups and starts another thread. */
  #replace(worker: Worker, pauseMs: number): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject, timer } of pending) {
      clearTimeout(timer);
      reject(interrupted());
    }
    if (this.#isClosed) return;
    this.#options.onRestart?.();
    this.#options.logger.error({ groups: pending.length, pauseMs }, 'writer thread ended; a new one starts');
    if (pauseMs === 0) this.#restart();
    else setTimeout(() => this.#restart(), pauseMs).unref();
  }

  #restart(): void {
    if (this.#isClosed) return;
    try {
      this.#start();
    } catch (error) {
      // No memory for a thread, or no process number: there may be later.
      this.#options.logger.error({ err: error }, 'writer thread cannot be started');
      setTimeout(() => this.#restart(), RESTART_MS).unref();
    }
  }
}

function interrupted(): ServiceError {
  return new ServiceError(
    'unavailable',
    'Storing the events was interrupted: they may be stored or not. Send the same events again in a new request',
    { retryAfterSeconds: 1 },
  );
}

/** Leaves out the secrets of the service and of its exporters. The thread needs only the variables that Node and the PostgreSQL driver read. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:SERVICE|OTEL)_/.test(name)));
}
