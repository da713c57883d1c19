import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { FairQueue, type Waiter } from '../../../platform/concurrency/fair-queue.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { AnalysisTask, TaskOutcome } from './content-analysis.ts';
import type { ScanWorkerSettings } from './scan-worker-settings.ts';

/** A burst of small files is processed within the deadline; 64 MiB limits the memory of the queue. */
const QUEUE_LIMITS = { waiters: 64, bytes: 67_108_864 };
/** Limit on the JavaScript heap of a thread; the parsers limit unpacked bytes themselves. */
const HEAP_MB = 192;
const WORKER_FILE = fileURLToPath(new URL('./scan-worker.ts', import.meta.url));

export type PoolOutcome =
  | TaskOutcome
  /** The deadline passed. The thread that worked on it was terminated. */
  | { readonly kind: 'overrun' }
  /** The thread ended during the work. */
  | { readonly kind: 'crashed' }
  /** The queue is full or closed. */
  | { readonly kind: 'refused' };

export interface WorkerPoolOptions {
  readonly workers: number;
  /** The deadline starts when work is submitted, so waiting counts. */
  readonly settings: ScanWorkerSettings;
  readonly logger: Logger;
  /** Limit on the JavaScript heap of one thread. */
  readonly heapMb?: number;
}

interface Work extends Waiter {
  readonly task: AnalysisTask;
  readonly abort: AbortController;
  readonly settle: (outcome: PoolOutcome) => void;
}

/** Worker threads for long analyses, each with a deadline and a memory limit. They start with the first task. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #queue = new FairQueue<Work>(QUEUE_LIMITS);
  #threads: Piscina | undefined;
  /** The tenants of the running work, once for each thread. */
  readonly #running: string[] = [];
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Analyzes content in a thread. Always resolves, at the latest shortly after the deadline. The bytes of the task are
   * transferred and cannot be used afterwards.
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
      const work: Work = { task, line: tenantId, bytes, abort, settle };
      for (const { settle: refuse } of this.#queue.add(work)) refuse({ kind: 'refused' });
      this.#dispatch();
    });
  }

  /** Terminates the threads immediately. Waiting and running work is not finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let work = this.#queue.next(); work; work = this.#queue.next()) work.settle({ kind: 'refused' });
    await this.#threads?.destroy();
  }

  /** Starts only as much work as there are threads, so that the fair queue decides the order. */
  #dispatch(): void {
    while (this.#running.length < this.#options.workers) {
      const work = this.#queue.next((line) => this.#mayRun(line));
      if (!work) return;
      this.#running.push(work.line);
      void this.#work(work).finally(() => {
        this.#running.splice(this.#running.indexOf(work.line), 1);
        this.#dispatch();
      });
    }
  }

  /** One tenant leaves a thread to the others, which would otherwise wait until its deadline. */
  #mayRun(tenant: string): boolean {
    const own = this.#running.filter((running) => running === tenant).length;
    return own < Math.max(1, this.#options.workers - 1);
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
        this.#options.logger.warn({ error: outcome.error }, 'content analysis failed');
      settle(outcome);
    } catch (error) {
      if (!abort.signal.aborted) {
        this.#options.logger.warn({ code: codeOf(error) }, 'scan thread ended during an analysis');
      }
      settle({ kind: 'crashed' });
    }
  }

  #open(): Piscina {
    const { workers, settings, logger, heapMb = HEAP_MB } = this.#options;
    const threads = new Piscina({
      filename: WORKER_FILE,
      name: 'analyze',
      // Equal to the maximum, so that a terminated thread is replaced immediately.
      minThreads: workers,
      maxThreads: workers,
      // A thread that sleeps in Atomics.wait could not finish asynchronous work that a parser left behind.
      atomics: 'disabled',
      recordTiming: false,
      // Threads that parse hostile bytes must not see the service's secrets.
      env: {},
      execArgv: ['--conditions=source'],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
      workerData: settings,
    });
    // Without running work, no other listener handles this event; unhandled, it would end the process.
    threads.on('error', (error) => logger.warn({ code: codeOf(error) }, 'idle scan thread ended'));
    return threads;
  }
}

function transferable({ content }: AnalysisTask): ArrayBuffer[] {
  return 'encoded' in content ? [content.encoded.body.buffer as ArrayBuffer] : [];
}

/** Returns the loggable part of an error. Its message can quote content. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
