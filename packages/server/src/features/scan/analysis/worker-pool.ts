import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { FairQueue, type Waiter } from '../../../platform/concurrency/fair-queue.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { AnalysisTask, TaskOutcome } from './content-analysis.ts';
import type { ScanWorkerSettings } from './scan-worker-settings.ts';

/** A burst of small files is processed within the deadline; 64 MiB limits the memory of the queue. */
const QUEUE_LIMITS = { waiters: 64, bytes: 67_108_864 };
/** Limit on the JavaScript heap of a thread; the parsers limit unpacked bytes themselves. */
const HEAP_MB = 192;
/** How long work may wait until a thread begins with it. A busy machine takes seconds to start a thread. */
const WAIT_WITHIN_MS = 10_000;
const WORKER_FILE = fileURLToPath(new URL('./scan-worker.ts', import.meta.url));

export type PoolOutcome =
  | TaskOutcome
  /** The deadline passed. The thread that worked on it was terminated. */
  | { readonly kind: 'overrun' }
  /** The thread ended during the work. */
  | { readonly kind: 'crashed' }
  /** The queue is full or closed, or no thread was free in time. */
  | { readonly kind: 'refused' };

export interface WorkerPoolOptions {
  readonly workers: number;
  /** The deadline starts when a thread begins with the work. */
  readonly settings: ScanWorkerSettings;
  readonly logger: Logger;
  /** Limit on the JavaScript heap of one thread. */
  readonly heapMb?: number;
}

interface Work extends Waiter {
  readonly task: AnalysisTask;
  readonly abort: AbortController;
  /** A thread has begun. */
  readonly begin: () => void;
  readonly settle: (outcome: PoolOutcome) => void;
}

/** Worker threads for long analyses, each with a deadline and a memory limit. They start with the first task. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #queue = new FairQueue<Work>(QUEUE_LIMITS);
  #threads: Piscina | undefined;
  /** The tenants of the running work, once for each thread. */
  readonly #running: string[] = [];
  #warming: Promise<boolean> | undefined;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Analyzes content in a thread. Always resolves: at the latest shortly after the deadline, once a thread has begun. The
   * bytes of the task are transferred and cannot be used afterwards.
   *
   * @param line lines take turns: one for each tenant
   */
  run(task: AnalysisTask, line: string): Promise<PoolOutcome> {
    if (this.#isClosed) return Promise.resolve({ kind: 'refused' });
    const { content } = task;
    const bytes = 'encoded' in content ? content.encoded.body.byteLength : 0;
    return new Promise((resolve) => {
      const abort = new AbortController();
      const giveUp = (outcome: PoolOutcome) => {
        this.#queue.remove(work);
        work.settle(outcome);
        abort.abort();
      };
      let timer = setTimeout(giveUp, WAIT_WITHIN_MS, { kind: 'refused' });
      const begin = () => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, this.#options.settings.deadlineMs, { kind: 'overrun' });
      };
      const settle = (outcome: PoolOutcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      const work: Work = { task, line, bytes, abort, begin, settle };
      for (const { settle: refuse } of this.#queue.add(work)) refuse({ kind: 'refused' });
      this.#dispatch();
    });
  }

  /** Starts the threads. Resolves with whether the first of them has started, or has failed to, which the log shows. */
  warmUp(): Promise<boolean> {
    this.#warming ??= this.run({ content: { type: 'text', text: '' } }, '').then(({ kind }) => {
      const isOver = kind !== 'refused';
      if (!isOver) this.#warming = undefined;
      return isOver;
    });
    return this.#warming;
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

  async #work({ task, abort, begin, settle }: Work): Promise<void> {
    const { port1: start, port2: started } = new MessageChannel();
    start.once('message', begin);
    try {
      this.#threads ??= this.#open();
      const outcome: TaskOutcome = await this.#threads.run(
        { ...task, started },
        { name: 'analyze', signal: abort.signal, transferList: [started, ...transferable(task)] },
      );
      if (outcome.kind === 'failed')
        this.#options.logger.warn({ error: outcome.error }, 'content analysis failed');
      settle(outcome);
    } catch (error) {
      if (!abort.signal.aborted) {
        this.#options.logger.warn({ code: codeOf(error) }, 'scan thread ended during an analysis');
      }
      settle({ kind: 'crashed' });
    } finally {
      start.close();
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
