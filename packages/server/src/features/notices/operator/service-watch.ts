import { hostname } from 'node:os';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { Logger } from '../../../platform/logger.ts';
import { CheckMemory } from './check-memory.ts';
import { confirm, nextRecord, type PendingMessage, settle } from './check-record.ts';
import type { OperatorOutlet } from './operator-outlet.ts';
import { type Finding, runCheck, type ServiceCheck } from './service-check.ts';
import { writeOperatorMessage } from './write-operator-message.ts';

const EVERY_MS = 15_000;
/** A change is looked at again soon, to confirm it. */
const CONFIRM_MS = 3_000;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly checks: readonly ServiceCheck[];
  readonly outlet: Pick<OperatorOutlet, 'send'>;
  /** The address of the service. */
  readonly baseUrl: string;
}

/** What a check has found, and for how long it has found this level. */
interface LastResult {
  readonly finding: Finding | undefined;
  readonly atMs: number;
  readonly isNew: boolean;
}

/**
 * Notifies the operator when a check fails, when its level changes and when it works again. All processes share what the
 * operator knows, so that one of them reports what several have found.
 */
export class ServiceWatch {
  readonly #parts: Parts;
  readonly #memory: CheckMemory;
  readonly #loop: PollingLoop;
  readonly #results = new Map<string, LastResult>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#memory = new CheckMemory(parts);
    this.#loop = new PollingLoop({
      round: async () => {
        await this.checkAll();
        const isUnconfirmed = [...this.#results.values()].some(({ isNew }) => isNew);
        return isUnconfirmed ? CONFIRM_MS : EVERY_MS;
      },
      backOffMs: EVERY_MS,
      onFailure: (err) => parts.logger.warn({ err }, 'health of the service could not be checked'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async checkAll(): Promise<void> {
    await Promise.all(this.#parts.checks.map((check) => this.#check(check)));
  }

  async #check(check: ServiceCheck): Promise<void> {
    const { clock, logger } = this.#parts;
    const { name } = check;
    const result = await runCheck(check).catch((err: unknown) => {
      logger.warn({ err, check: name }, 'check of the service failed');
      return undefined;
    });
    if (!result) return;
    const { finding } = result;
    const nowMs = clock.now();
    const last = this.#results.get(name);
    const confirmed = confirm(last, finding);
    this.#results.set(name, { finding, atMs: nowMs, isNew: last?.finding?.level !== finding?.level });
    const observation = { finding, confirmed, nowMs, host: hostname() };
    const { before, after } = await this.#memory.update(name, (record, isShared) =>
      nextRecord(record, { ...observation, isShared }),
    );
    const message = after?.message;
    if (message && message.attempts !== (before?.message?.attempts ?? 0)) await this.#send(check, message);
  }

  async #send(check: ServiceCheck, message: PendingMessage): Promise<void> {
    const { outlet, logger, baseUrl, clock } = this.#parts;
    const { kind, level, problem } = message;
    const isFailing = kind === 'failing';
    const about = { check: check.name, level, problem };
    logger.warn(about, isFailing ? 'service unhealthy' : 'service recovered');
    const written = writeOperatorMessage(check, message, baseUrl);
    const outcome = await outlet.send(written, message.delivered);
    const settled = { ...outcome, nowMs: clock.now() };
    await this.#memory.update(check.name, (record) => settle(record, message, settled));
  }
}
