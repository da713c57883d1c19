import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Activity } from '../../../platform/concurrency/activity.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { MailLimit } from '../mail-limit.ts';
import { type ClaimedMessage, claimMessage } from './claim-message.ts';
import type { ChannelKey } from './claim-store.ts';
import * as claimStore from './claim-store.ts';
import { MAX_RETRY_AFTER_MS, retryDelayMs } from './retry-delay.ts';
import { type Senders, type SendOutcome, sendNotice } from './send-notice.ts';

/** Attempts at a time. Mails have fewer, so that those that people wait for have the rest of the mailer. */
const LIMITS = { inAll: 32, perTenant: 4, mails: 8 } as const;
/** A channel whose notices could not be claimed is tried again after this time. */
const SET_ASIDE_MS = 10_000;
/** At a stop, attempts under way have this long. The others are made again when their lease has ended. */
const STOP_MS = 2000;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly senders: Senders;
  readonly mailLimit: MailLimit;
  /** Where the console is, without a slash at the end. Read at each message: the port is known late. */
  readonly consoleUrl: () => string;
  /** How often it looks for due notices: after a request, they are sent within a second. */
  readonly activity?: Activity;
}

/**
 * Sends the notices of all tenants. One message at a time to each channel; a channel that does not respond delays no other
 * one. A message is sent again if the process ends before it has recorded the outcome.
 */
export class NoticeDispatcher {
  readonly #parts: Parts;
  readonly #loop: PollingLoop;
  readonly #activity: Activity;
  readonly #underWay = new Map<string, { message: ClaimedMessage; ended: Promise<void> }>();
  /** Channels that failed, and until when they are not tried again. */
  readonly #setAside = new Map<string, number>();
  #isFirstRound = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { logger, activity = new Activity() } = parts;
    this.#activity = activity;
    activity.add(() => this.wake());
    this.#loop = new PollingLoop({
      round: () => this.#round(),
      onFailure: (err, inARow) => {
        if (inARow === 1) logger.error({ err }, 'notice delivery failed');
      },
      onRecovery: () => logger.info('notice delivery works again'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Looks for due notices now. */
  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    const ended = Promise.all([...this.#underWay.values()].map((each) => each.ended));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_MS);
    });
    await Promise.race([ended, late]);
    clearTimeout(timer);
  }

  async #round(): Promise<number> {
    const { database, clock } = this.#parts;
    if (this.#isFirstRound && database.engine === 'sqlite') {
      // No other process uses the store, so the leases are those of a process that was killed.
      await database.transaction((tx) => claimStore.endLeases(tx, clock.now()));
    }
    this.#isFirstRound = false;
    if (this.#underWay.size >= LIMITS.inAll) return this.#activity.pollMs;
    const nowMs = clock.now();
    const limit = LIMITS.inAll * 2;
    const without = this.#unavailable(nowMs);
    const due = await claimStore.listDueChannels(database.read, { nowMs, limit, without });
    if (due.length > 0) this.#activity.note();
    for (const key of due) await this.#claim(key, clock.now());
    return this.#activity.pollMs;
  }

  /** A channel that cannot be read, such as one whose time zone this machine does not know, delays no other one. */
  async #claim(key: ChannelKey, nowMs: number): Promise<void> {
    if (!this.#hasRoomFor(key)) return;
    const { database, logger, mailLimit } = this.#parts;
    const withMail = this.#countMails() < LIMITS.mails;
    try {
      const message = await database.transaction(
        (tx) => claimMessage(tx, key, { nowMs, withMail, mailLimit }),
        {
          repeatable: true,
        },
      );
      if (message) this.#begin(message);
    } catch (err) {
      this.#setAside.set(key.channelId, nowMs + SET_ASIDE_MS);
      const about = { channel: key.channelId, tenant: key.tenantId };
      logger.error({ ...about, err }, 'notices of a channel could not be claimed');
    }
  }

  #unavailable(nowMs: number): claimStore.Unavailable {
    for (const [channelId, untilMs] of this.#setAside) {
      if (untilMs <= nowMs) this.#setAside.delete(channelId);
    }
    const underWay = [...this.#underWay.values()].map(({ message }) => message);
    const tenantIds = [...new Set(underWay.map(({ tenantId }) => tenantId))];
    return {
      channelIds: [...this.#setAside.keys(), ...underWay.map(({ channel }) => channel.channelId)],
      tenantIds: tenantIds.filter((tenantId) => this.#isAtLimit(tenantId)),
      mail: this.#countMails() >= LIMITS.mails,
    };
  }

  #hasRoomFor({ tenantId, channelId }: ChannelKey): boolean {
    if (this.#underWay.size >= LIMITS.inAll || this.#underWay.has(keyOf({ tenantId, channelId })))
      return false;
    return !this.#isAtLimit(tenantId);
  }

  #isAtLimit(tenantId: TenantId): boolean {
    return this.#count(({ message }) => message.tenantId === tenantId) >= LIMITS.perTenant;
  }

  #countMails(): number {
    return this.#count(({ message }) => message.channel.kind === 'email');
  }

  #count(matches: (each: { message: ClaimedMessage }) => boolean): number {
    return [...this.#underWay.values()].filter(matches).length;
  }

  #begin(message: ClaimedMessage): void {
    const { tenantId, channel } = message;
    const key = keyOf({ tenantId, channelId: channel.channelId });
    const ended = this.#attempt(message).finally(() => {
      this.#underWay.delete(key);
      this.#loop.wake();
    });
    this.#underWay.set(key, { message, ended });
  }

  /** Never rejects. If the outcome cannot be recorded, the lease ends and the message is sent again. */
  async #attempt(message: ClaimedMessage): Promise<void> {
    const { senders, consoleUrl, clock, logger } = this.#parts;
    const { notice, channel, tenantId } = message;
    const about = { notice: notice.noticeId, channel: channel.channelId, tenant: tenantId };
    try {
      const outcome = await sendNotice(message, {
        senders,
        consoleUrl: consoleUrl(),
        nowMs: clock.now(),
      });
      if (outcome.kind === 'failed') {
        logger.warn({ ...about, reason: outcome.error }, 'notice could not be sent');
        const pauseMs = Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
        // The other notices of the channel wait as well.
        if (pauseMs > 0) this.#setAside.set(channel.channelId, clock.now() + pauseMs);
      }
      await this.#record(tenantId, message, outcome);
    } catch (err) {
      logger.error({ ...about, err }, 'attempt to send a notice failed');
    }
  }

  #record(tenantId: TenantId, { notice }: ClaimedMessage, outcome: SendOutcome): Promise<void> {
    const { database, clock } = this.#parts;
    const nowMs = clock.now();
    const { noticeId, attempts } = notice;
    const settled = toSettled(outcome, { attempts, nowMs });
    return database.transaction((tx) => claimStore.settle(tx, tenantId, { noticeId, attempts, ...settled }), {
      idempotent: true,
    });
  }
}

function toSettled(outcome: SendOutcome, { attempts, nowMs }: { attempts: number; nowMs: number }) {
  if (outcome.kind === 'sent') {
    return { state: 'sent', dueAtMs: null, lastError: null, sentAtMs: nowMs } as const;
  }
  const delayMs = outcome.canSucceedLater ? retryDelayMs(attempts, outcome.retryAfterMs) : undefined;
  return {
    state: delayMs === undefined ? ('failed' as const) : ('waiting' as const),
    dueAtMs: delayMs === undefined ? null : nowMs + delayMs,
    lastError: outcome.error,
    sentAtMs: null,
  };
}

function keyOf({ tenantId, channelId }: ChannelKey): string {
  return `${tenantId} ${channelId}`;
}
