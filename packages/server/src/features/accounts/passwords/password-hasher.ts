import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '../../../platform/service-error.ts';

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
/** Salt and hash in base64 without padding: 16 and 32 bytes, as `hash` makes them. */
const NO_SALT = 'A'.repeat(22);
const NO_HASH = 'A'.repeat(43);

/** Hashes and verifies passwords with argon2id, a few at a time. */
export class PasswordHasher {
  readonly #cost: PasswordCost;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #runs = 0;

  constructor({ cost = PASSWORD_COST }: { cost?: PasswordCost } = {}) {
    this.#cost = cost;
  }

  /** How often a password was hashed or verified, and how many of these are under way or wait. */
  get work(): { readonly runs: number; readonly running: number; readonly waiting: number } {
    return { runs: this.#runs, running: this.#running, waiting: this.#waiting.length };
  }

  /**
   * Returns the hash in PHC form.
   * @throws ServiceError `unavailable` when too many passwords wait
   */
  hash(password: string): Promise<string> {
    return this.#run(() => hash(normalized(password), this.#options()));
  }

  /**
   * Returns whether the hash is of this password. Without a hash it does the same work and returns false, so that the time
   * does not show which accounts exist.
   * @throws ServiceError `unavailable` when too many passwords wait
   */
  async verify(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const compared = passwordHash ?? `${this.#prefix()}${NO_SALT}$${NO_HASH}`;
    const isRight = await this.#run(() => verify(compared, normalized(password)));
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

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < MAX_RUNNING) this.#running += 1;
    else if (this.#waiting.length < MAX_WAITING) {
      // A run that ends hands its place over, so that none that arrives meanwhile comes first.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      throw new ServiceError('unavailable', 'Too many people sign in at this moment', {
        retryAfterSeconds: 5,
      });
    }
    this.#runs += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** The same password may have other code points on another keyboard or system (NIST SP 800-63B, section 3.1.1.2). */
export function normalized(password: string): string {
  return password.normalize('NFKC');
}
