import { createHmac } from 'node:crypto';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toMailboxKey } from '../account.ts';
import type { LoginFailures } from './login-failure-store.ts';
import * as failureStore from './login-failure-store.ts';

/** What is counted, and how much of it is free. */
type Budget = {
  /** Attempts before the first delay. */
  readonly free: number;
} & (
  | {
      /** The delay after the first attempt that is not free. It doubles with each further one. */
      readonly firstDelayMs: number;
      /** The longest delay (default: 15 minutes). */
      readonly maxDelayMs?: number;
    }
  /** The window in which attempts are free. It begins with the first of them. */
  | { readonly windowMs: number }
);

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The longest delay. An attacker who fails on purpose keeps an owner on a new device out for minutes, not for good. */
const MAX_DELAY_MS = 15 * MINUTE_MS;
/** Failures are forgotten after this time without another attempt. */
export const FORGOTTEN_AFTER_MS = DAY_MS;

const BUDGETS = {
  /** Passwords and codes of one account. */
  account: { free: 5, firstDelayMs: SECOND_MS },
  /** The same from a browser in which the owner has signed in before: others cannot use this budget up. */
  device: { free: 5, firstDelayMs: SECOND_MS },
  /** Second factors: six digits have few values. */
  code: { free: 5, firstDelayMs: 5 * SECOND_MS },
  /** Everything from one address, which many people may share. */
  address: { free: 30, firstDelayMs: SECOND_MS },
  /**
   * Mails with a link that sets a password to one mailbox, which anyone can request. The delay is as long as the link of the
   * last mail works, so that others who use this budget up do not lock the owner out. A success clears neither this budget
   * nor those of other mails.
   */
  mail: { free: 3, firstDelayMs: MINUTE_MS, maxDelayMs: HOUR_MS },
  /** Invitations by one tenant to one mailbox. */
  invitation: { free: 5, windowMs: DAY_MS },
  /** Invitations by all tenants to one mailbox. One tenant cannot use it up. */
  mailbox: { free: 20, windowMs: DAY_MS },
  /** Invitations by one tenant to any mailbox. */
  inviter: { free: 200, windowMs: DAY_MS },
  /** Notices by one tenant to one mailbox, however many channels the tenant creates. */
  notice: { free: 100, windowMs: HOUR_MS },
  /** Mailboxes to which one tenant sends notices: twice as many as it can have channels at a time. */
  recipients: { free: 40, windowMs: DAY_MS },
  /** Whether a mailbox was counted as one of these. */
  recipient: { free: 1, windowMs: DAY_MS },
  /** Tests of notice channels with one mailbox, by all tenants. */
  notice_test: { free: 5, windowMs: HOUR_MS },
  /** Secrets of links from one address: they cannot be guessed, and each attempt reads the store. */
  link: { free: 20, firstDelayMs: SECOND_MS },
  /** Responses that show one tenant that an address has an account, although no one has proved the address. */
  known: { free: 20, windowMs: DAY_MS },
  /** Whether such a response about one address was counted for a tenant. */
  known_address: { free: 1, windowMs: DAY_MS },
  /** Entries in the audit log about one account. */
  audit: { free: 3, firstDelayMs: MAX_DELAY_MS },
  /** Entries about one reason for which a tenant's sign-on refuses people. */
  sign_on_audit: { free: 3, firstDelayMs: MAX_DELAY_MS },
} as const satisfies Record<string, Budget>;

/** A key, such as an account or an address, under which attempts are counted. */
export interface ThrottleKey {
  readonly budget: keyof typeof BUDGETS;
  readonly value: string;
}

/** An attempt that may be made. It counts as failed until `succeed` is called. */
export interface Attempt {
  readonly allowed: true;
  readonly keys: readonly ThrottleKey[];
  /** Whether it is the first after which the person has to wait, should it fail. */
  readonly beginsDelay: boolean;
}

export interface Refusal {
  readonly allowed: false;
  readonly retryAfterSeconds: number;
}

/**
 * Delays repeated attempts to guess a secret. The counts are in the store, so that all nodes share them. An attempt is
 * counted before it is made: of many simultaneous ones, only the free ones are made. Whether an account exists makes no
 * difference.
 */
export class LoginThrottle {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #key: Buffer;

  /** `key` hides addresses and e-mail addresses in the store: a hash alone could be reversed by trying them. */
  constructor({ database, clock, key }: { database: Database; clock: Clock; key: Buffer }) {
    this.#database = database;
    this.#clock = clock;
    this.#key = key;
  }

  /** Counts an attempt under all keys, or refuses it if one of them is blocked. A refused attempt is not counted. */
  admit(keys: readonly ThrottleKey[]): Promise<Attempt | Refusal> {
    return this.#database.transaction((tx) => this.admitWithin(tx, keys));
  }

  /** Does the same in a transaction of the caller, which must also commit when the attempt fails. */
  async admitWithin(tx: Queries, keys: readonly ThrottleKey[]): Promise<Attempt | Refusal> {
    const nowMs = this.#clock.now();
    const byHash = new Map(keys.map((key) => [this.#hashOf(key), key]));
    const { failures: locked, begun } = await failureStore.lock(tx, [...byHash.keys()]);
    const blockedForMs = Math.max(
      ...locked.map(({ keyHash, blockedUntilMs }) => {
        // A clock that was set back must not prolong a block.
        return Math.min(
          blockedUntilMs - nowMs,
          maxDelayOf(BUDGETS[byHash.get(keyHash)?.budget ?? 'account']),
        );
      }),
    );
    if (blockedForMs > 0) {
      // Otherwise a blocked address could fill the table.
      await failureStore.remove(tx, begun);
      return { allowed: false, retryAfterSeconds: Math.ceil(blockedForMs / SECOND_MS) };
    }
    const counted = locked.map((one) => count(one, byHash.get(one.keyHash), nowMs));
    await failureStore.save(tx, counted);
    const beginsDelay = counted.some(({ keyHash, failures }) => {
      const { budget } = byHash.get(keyHash) ?? {};
      return budget !== undefined && budget !== 'address' && failures === BUDGETS[budget].free;
    });
    return { allowed: true, keys, beginsDelay };
  }

  /**
   * Clears what an attempt has counted. The count of its address only loses this attempt: otherwise an attacker could
   * clear it by signing in to an account that they own.
   */
  async succeed(tx: Queries, { keys }: Attempt): Promise<void> {
    const shared = new Set(keys.filter(isShared).map((key) => this.#hashOf(key)));
    // All of them in one order, as attempts lock them: otherwise two nodes could wait for each other.
    const { failures: locked } = await failureStore.lock(
      tx,
      keys.map((key) => this.#hashOf(key)),
    );
    const kept = locked.filter(({ keyHash }) => shared.has(keyHash));
    const uncounted = kept.map((one) => ({
      ...one,
      failures: Math.max(0, one.failures - 1),
      blockedUntilMs: 0,
    }));
    await failureStore.save(tx, uncounted);
    const cleared = locked.filter(({ keyHash }) => !shared.has(keyHash));
    await failureStore.remove(
      tx,
      cleared.map(({ keyHash }) => keyHash),
    );
  }

  /** Keeps the count of an attempt only if it is the first about this key: a repetition shows nothing more. */
  async countOnce(tx: Queries, attempt: Attempt, key: ThrottleKey): Promise<void> {
    // In the order of a transaction that admits the attempt itself: otherwise two nodes could wait for each other.
    await failureStore.lock(
      tx,
      attempt.keys.map((one) => this.#hashOf(one)),
    );
    const first = await this.admitWithin(tx, [key]);
    if (!first.allowed) await this.succeed(tx, attempt);
  }

  /** Forgets the failures of keys, for example after the secret was replaced. */
  async clear(tx: Queries, keys: readonly ThrottleKey[]): Promise<void> {
    await failureStore.remove(
      tx,
      keys.map((key) => this.#hashOf(key)),
    );
  }

  #hashOf({ budget, value }: ThrottleKey): string {
    return createHmac('sha256', this.#key).update(`${budget} ${value}`).digest('hex');
  }
}

/** Many people may be behind one address, or belong to one tenant. */
function isShared({ budget }: ThrottleKey): boolean {
  return budget === 'address' || budget === 'link' || budget === 'known';
}

function count(one: LoginFailures, key: ThrottleKey | undefined, nowMs: number): LoginFailures {
  const budget: Budget = BUDGETS[key?.budget ?? 'account'];
  const isWindow = 'windowMs' in budget;
  const isForgotten = nowMs - one.lastAtMs >= (isWindow ? budget.windowMs : FORGOTTEN_AFTER_MS);
  const failures = (isForgotten ? 0 : one.failures) + 1;
  const lastAtMs = isWindow && !isForgotten ? one.lastAtMs : nowMs;
  const delayMs = delayAfter(failures, budget);
  const blockedUntilMs = delayMs === 0 ? 0 : (isWindow ? lastAtMs : nowMs) + delayMs;
  return { keyHash: one.keyHash, failures, lastAtMs, blockedUntilMs };
}

function delayAfter(failures: number, budget: Budget): number {
  if (failures < budget.free) return 0;
  if ('windowMs' in budget) return budget.windowMs;
  return Math.min(budget.firstDelayMs * 2 ** Math.min(failures - budget.free, 30), maxDelayOf(budget));
}

function maxDelayOf(budget: Budget): number {
  return 'windowMs' in budget ? budget.windowMs : (budget.maxDelayMs ?? MAX_DELAY_MS);
}

/** Under which responses about one address to one tenant are counted, however it is spelled. */
export function knownAddressKey(tenantId: TenantId, email: string): ThrottleKey {
  return { budget: 'known_address', value: `${tenantId} ${toMailboxKey(email)}` };
}
