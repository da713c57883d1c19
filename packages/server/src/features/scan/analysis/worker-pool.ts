import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Logger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { AnalysisTask, TaskOutcome } from './content-analysis.ts';
import { FairQueue, type Waiter } from './fair-queue.ts';
import type { ScanWorkerSettings } from './scan-worker-settings.ts';

/** A burst of small files is worked off within the deadline; more bytes than this are not kept for it. */
const QUEUE_LIMITS = { waiters: 64, bytes: 67_108_864 };
/** Of what JavaScript allocates; bytes that readers unpack are bounded by themselves. */
const HEAP_MB = 192;
const WORKER_FILE = fileURLToPath(new URL('./scan-worker.ts', import.meta.url));

export type PoolOutcome =
  | TaskOutcome
  /** It was not done within the deadline. Whoever worked on it was ended. */
  | { readonly kind: 'overrun' }
  /** The thread ended under it. */
  | { readonly kind: 'crashed' }
  /** Too much waits. */
  | { readonly kind: 'refused' };

export interface WorkerPoolOptions {
  readonly workers: number;
  /** Its deadline begins when work is handed in, so that waiting counts. */
  readonly settings: ScanWorkerSettings;
  readonly logger: Logger;
  /** How much JavaScript of one thread may allocate. */
  readonly heapMb?: number;
}

interface Work extends Waiter {
  readonly task: AnalysisTask;
  readonly abort: AbortController;
  readonly settle: (outcome: PoolOutcome) => void;
}

/** Threads that read what takes long, each within a deadline and bounds of memory. None runs before the first need. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #queue = new FairQueue<Work>(QUEUE_LIMITS);
  #threads: Piscina | undefined;
  #busy = 0;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Has content read, and always answers, soon after the deadline at the latest. The bytes of the task are transferred:
   * afterwards they are gone here.
   */
  run(task: AnalysisTask, tenantId: TenantId): Promise<PoolOutcome> {
    if (this.#isClosed) return Promise.resolve({ kind: 'refused' });
    const { content } = task;
    const bytes = 'encoded' in content ? content.encoded.body.byteLength : 0;
    return new Promise((resolve) => {
      const abort = new AbortController();
      const overrun = () => {
        this.#queue.remove(work);
        work.settle({ kind: 'overrun' });
        abort.abort();
      };
      const timer = setTimeout(overrun, this.#options.settings.deadlineMs);
      const settle = (outcome: PoolOutcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      const work: Work = { task, tenantId, bytes, abort, settle };
      for (const { settle: refuse } of this.#queue.add(work)) refuse({ kind: 'refused' });
      this.#dispatch();
    });
  }

  /** Ends the threads at once: when this is called, nobody waits for an answer any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let work = this.#queue.next(); work; work = this.#queue.next()) work.settle({ kind: 'refused' });
    await this.#threads?.destroy();
  }

  /** Gives the threads no more than they can begin with, so that turns are taken here. */
  #dispatch(): void {
    while (this.#busy < this.#options.workers) {
      const work = this.#queue.next();
      if (!work) return;
      this.#busy += 1;
      void this.#work(work).finally(() => {
        this.#busy -= 1;
        this.#dispatch();
      });
    }
  }

  async #work({ task, abort, settle }: Work): Promise<void> {
    try {
      this.#threads ??= this.#open();
      const outcome: TaskOutcome = await this.#threads.run(task, {
        name: 'analyze',
        signal: abort.signal,
        transferList: transferable(task),
      });
      if (outcome.kind === 'failed')
        this.#options.logger.warn({ error: outcome.error }, 'content was not read');
      settle(outcome);
    } catch (error) {
      if (!abort.signal.aborted) {
        this.#options.logger.warn({ code: codeOf(error) }, 'a thread that read content ended under it');
      }
      settle({ kind: 'crashed' });
    }
  }

  #open(): Piscina {
    const { workers, settings, logger, heapMb = HEAP_MB } = this.#options;
    const threads = new Piscina({
      filename: WORKER_FILE,
      name: 'analyze',
      // As many as may run: one that was ended is replaced at once, not at the next need.
      minThreads: workers,
      maxThreads: workers,
      // An idle thread that sleeps in Atomics.wait could not finish what a reader left behind.
      atomics: 'disabled',
      recordTiming: false,
      // Whatever reads hostile bytes has no use for the service's secrets.
      env: {},
      execArgv: ['--conditions=source'],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
      workerData: settings,
    });
    // Without work under way nobody else hears of it, and unheard it would end the process.
    threads.on('error', (error) => logger.warn({ code: codeOf(error) }, 'an idle thread for scans ended'));
    return threads;
  }
}

function transferable({ content }: AnalysisTask): ArrayBuffer[] {
  return 'encoded' in content ? [content.encoded.body.buffer as ArrayBuffer] : [];
}

/** All that may be logged: messages of errors can quote content. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
