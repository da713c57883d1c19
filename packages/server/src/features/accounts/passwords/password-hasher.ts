import { hash, verify } from '@node-rs/argon2';
import { FairQueue, type Waiter } from '../../../platform/concurrency/fair-queue.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { HashingLine } from './hashing-line.ts';

/** The parameters of argon2id. */
export interface PasswordCost {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. About 20 ms of a core. */
export const PASSWORD_COST: PasswordCost = { memoryKiB: 19_456, passes: 2 };

/**
 * Hashes at a time. They run in the thread pool of four, which also verifies the signatures of devices: sign-ins must not
 * hold all of it.
 */
const MAX_RUNNING = 2;
/** The last one in the queue waits about a second. */
const MAX_WAITING = 64;

interface WaitingPassword extends Waiter {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** Salt and hash in base64 without padding: 16 and 32 bytes, as `hash` makes them. */
const NO_SALT = 'A'.repeat(22);
const NO_HASH = 'A'.repeat(43);

/**
 * Hashes and verifies passwords with argon2id, a few at a time. Lines take turns. When too many passwords wait, the longest
 * line loses its newest one, so that any number of unknown browsers does not keep the people of a tenant out.
 */
export class PasswordHasher {
  readonly #cost: PasswordCost;
  readonly #queue = new FairQueue<WaitingPassword>({ waiters: MAX_WAITING, bytes: 0 });
  #running = 0;
  #runs = 0;

  constructor({ cost = PASSWORD_COST }: { cost?: PasswordCost } = {}) {
    this.#cost = cost;
  }

  /** How often a password was hashed or verified, and how many of these are under way or wait. */
  get work(): { readonly runs: number; readonly running: number; readonly waiting: number } {
    return { runs: this.#runs, running: this.#running, waiting: this.#queue.size };
  }

  /**
   * Returns the hash in PHC form.
   * @throws ServiceError `unavailable` when too many passwords wait
   */
  hash(password: string, line: HashingLine): Promise<string> {
    return this.#run(line, () => hash(normalized(password), this.#options()));
  }

  /**
   * Returns whether the hash is of this password. Without a hash it does the same work and returns false, so that the time
   * does not show which accounts exist.
   * @throws ServiceError `unavailable` when too many passwords wait
   */
  async verify(
    passwordHash: string | null | undefined,
    password: string,
    line: HashingLine,
  ): Promise<boolean> {
    const compared = passwordHash ?? `${this.#prefix()}${NO_SALT}$${NO_HASH}`;
    const isRight = await this.#run(line, () => verify(compared, normalized(password)));
    return typeof passwordHash === 'string' && isRight;
  }

  /** Returns whether a hash was made with other parameters than new ones are. */
  isOutdated(passwordHash: string): boolean {
    return !passwordHash.startsWith(this.#prefix());
  }

  #prefix(): string {
    return `$argon2id$v=19$m=${this.#cost.memoryKiB},t=${this.#cost.passes},p=1$`;
  }

  #options() {
    return { memoryCost: this.#cost.memoryKiB, timeCost: this.#cost.passes, parallelism: 1 };
  }

  async #run<Result>(line: HashingLine, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < MAX_RUNNING) this.#running += 1;
    // A run that ends hands its place over, so that a newer one cannot overtake those that wait.
    else await this.#wait(line);
    this.#runs += 1;
    try {
      return await work();
    } finally {
      const next = this.#queue.next();
      if (next) next.start();
      else this.#running -= 1;
    }
  }

  /** Resolves when the line has its turn. */
  #wait(line: HashingLine): Promise<void> {
    return new Promise((start, reject) => {
      const refuse = () => reject(tooMany());
      for (const dropped of this.#queue.add({ line, bytes: 0, start, refuse })) dropped.refuse();
    });
  }
}

function tooMany(): ServiceError {
  return new ServiceError('unavailable', 'Too many people are signing in. Try again in a few seconds', {
    retryAfterSeconds: 5,
  });
}

/** The same password may have other code points on another keyboard or system (NIST SP 800-63B, section 3.1.1.2). */
export function normalized(password: string): string {
  return password.normalize('NFKC');
}
