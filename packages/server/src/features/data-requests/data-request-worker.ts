import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { FailureCollector } from '../../platform/concurrency/collect-failures.ts';
import { PollingLoop } from '../../platform/concurrency/polling-loop.ts';
import { runThenPause } from '../../platform/concurrency/run-then-pause.ts';
import type { Logger } from '../../platform/logger.ts';
import { advanceRequest } from './advance-request.ts';
import type { DataRequestRecord } from './data-request.ts';
import * as dataRequestStore from './data-request-store.ts';

/** A request to this process wakes the worker; this is for those that another process left. */
const POLL_MS = 30_000;

/** Carries out data requests step by step, and ends exports whose time is over. */
export class DataRequestWorker {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #loop: PollingLoop;

  constructor({ database, clock, logger }: { database: Database; clock: Clock; logger: Logger }) {
    this.#database = database;
    this.#clock = clock;
    this.#loop = new PollingLoop({
      backOffMs: POLL_MS,
      round: async (signal) => {
        await this.#round(signal).catch((error: unknown) => {
          // What `stop` interrupts has not failed.
          if (!signal.aborted) throw error;
        });
        return POLL_MS;
      },
      onFailure: (error) => logger.warn({ err: error }, 'data request failed; it is tried again'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { read } = this.#database;
    const failures = new FailureCollector({ signal, assertUsable: () => this.#database.ping() });
    for (const request of await dataRequestStore.listExpired(read, this.#clock.now()))
      await failures.run(request.requestId, () => this.#end(request));
    await this.#takeTurns(failures, signal);
    failures.throwIfAny();
  }

  /** Does one step of each request in turn, so that a long request does not delay the others. */
  async #takeTurns(failures: FailureCollector, signal: AbortSignal): Promise<void> {
    const work = { database: this.#database, clock: this.#clock, signal };
    const setAside = new Set<string>();
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (const request of await dataRequestStore.listRunning(this.#database.read)) {
        const { requestId } = request;
        if (setAside.has(requestId)) continue;
        const step = () => runThenPause(() => advanceRequest(work, request), signal);
        if ((await failures.run(requestId, step)) === false) isBusy = true;
        else setAside.add(requestId);
        signal.throwIfAborted();
      }
    }
  }

  #end({ tenantId, requestId }: DataRequestRecord): Promise<void> {
    return this.#database.transaction(
      async (tx) => {
        const request = await dataRequestStore.findForUpdate(tx, tenantId, requestId);
        if (request) await dataRequestStore.save(tx, { ...request, status: 'expired', subject: null });
      },
      { idempotent: true },
    );
  }
}
