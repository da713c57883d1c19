import { hostname } from 'node:os';
import { type Database, settingsStore } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { Logger } from '../../../platform/logger.ts';
import { toShortTime } from '../notice.ts';
import type { OperatorOutlet } from './operator-outlet.ts';
import {
  type CheckState,
  HEALTHY,
  type KnownProblem,
  nextState,
  type ServiceCheck,
  type StateChange,
} from './service-check.ts';

const EVERY_MS = 15_000;
/** A change is looked at again soon, to confirm it. */
const CONFIRM_MS = 3_000;
/** A check of the process that takes longer has failed, and one of the installation has no result. */
const CHECK_MS = 10_000;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly checks: readonly ServiceCheck[];
  readonly outlet: Pick<OperatorOutlet, 'send'>;
  /** The address of the service. */
  readonly baseUrl: string;
}

/**
 * Notifies the operator when a check fails and when it works again. What the operator knows is kept in the store, as far as
 * the store works: a process that starts reports what has recovered meanwhile, and of several processes one reports what
 * is the same for all.
 */
export class ServiceWatch {
  readonly #parts: Parts;
  readonly #loop: PollingLoop;
  readonly #states = new Map<string, CheckState>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#loop = new PollingLoop({
      round: async () => {
        await this.checkAll();
        const isUnconfirmed = [...this.#states.values()].some(({ changedRounds }) => changedRounds === 1);
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
    const name = settingNameOf(check);
    const result = await resultOf(check).catch((err: unknown) => {
      logger.warn({ err, check: check.name }, 'check of the service failed');
      return undefined;
    });
    if (!result) return;
    const before = this.#states.get(name) ?? { ...HEALTHY, known: await this.#readKnown(check) };
    const { state, change } = nextState(before, result.problem, clock.now());
    this.#states.set(name, state);
    if (!change) return;
    const known = await this.#report(check, change);
    if (known !== 'not reported') this.#states.set(name, { ...HEALTHY, known });
  }

  /** Returns what the operator knows now. */
  async #report(
    check: ServiceCheck,
    change: StateChange,
  ): Promise<KnownProblem | undefined | 'not reported'> {
    const { kind, problem, sinceMs } = change;
    const name = settingNameOf(check);
    const stored = await this.#readKnown(check);
    const isFailing = kind === 'failing';
    // Another process was faster.
    if (check.scope === 'installation' && (stored !== undefined) === isFailing) return stored;
    const { outlet, logger } = this.#parts;
    logger.warn({ check: check.name, problem }, isFailing ? 'service unhealthy' : 'service recovered');
    if (!(await outlet.send(this.#write(check, change)))) return 'not reported';
    const known = isFailing ? { problem, sinceMs } : undefined;
    await this.#saveKnown(name, known);
    return known;
  }

  #write({ name, whatToDo }: ServiceCheck, { kind, problem, sinceMs }: StateChange) {
    const { baseUrl, clock } = this.#parts;
    const isFailing = kind === 'failing';
    const subject = `${isFailing ? 'Service unhealthy' : 'Service recovered'}: ${problem}`;
    const text = [
      subject,
      '',
      `Since: ${toShortTime(sinceMs)}`,
      ...(isFailing ? [] : [`Until: ${toShortTime(clock.now())}`]),
      `Service: ${baseUrl}, on ${hostname()}`,
      `What to do: ${isFailing ? whatToDo : 'Nothing.'}`,
      '',
    ].join('\n');
    return { id: `service.${name}.${kind}.${sinceMs}`, subject, text };
  }

  /** While the store does not respond, and for what was not stored therefore, this process remembers it. */
  async #readKnown(check: ServiceCheck): Promise<KnownProblem | undefined> {
    const name = settingNameOf(check);
    const remembered = this.#states.get(name)?.known;
    try {
      const value = await settingsStore.find(this.#parts.database.read, name);
      if (value !== undefined) return JSON.parse(value) as KnownProblem;
      return check.scope === 'process' ? remembered : undefined;
    } catch {
      return remembered;
    }
  }

  async #saveKnown(name: string, known: KnownProblem | undefined): Promise<void> {
    try {
      await this.#parts.database.transaction((tx) =>
        known ? settingsStore.save(tx, name, JSON.stringify(known)) : settingsStore.remove(tx, name),
      );
    } catch (err) {
      // Kept in memory: it may be the store that fails.
      this.#parts.logger.warn({ err, name }, 'state of a notice to the operator could not be stored');
    }
  }
}

function settingNameOf({ name, scope }: ServiceCheck): string {
  return scope === 'process' ? `operator notice ${name} of ${hostname()}` : `operator notice ${name}`;
}

async function resultOf(check: ServiceCheck): Promise<{ problem: string | undefined } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const problem = `no result of the check "${check.name}" within ${CHECK_MS / 1000} s`;
  const late = new Promise<{ problem: string } | undefined>((resolve) => {
    timer = setTimeout(() => resolve(check.scope === 'process' ? { problem } : undefined), CHECK_MS);
  });
  try {
    return await Promise.race([(async () => ({ problem: await check.findProblem() }))(), late]);
  } finally {
    clearTimeout(timer);
  }
}
