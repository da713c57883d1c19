import type { NewNoticeChannel, NoticeChannelChange } from '@tps/contract';
import {
  DEFAULT_NOTICES_PER_HOUR,
  ID_PREFIXES,
  NOTICE_CHANNEL_LIMIT,
  NOTICE_TOPICS,
} from '@tps/contract/vocabulary';
import type { Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { createId } from '../../../platform/identifiers.ts';
import { TargetRejectedError } from '../../../platform/outbound/target-rejected-error.ts';
import { notFound, ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore } from '../../audit/index.ts';
import { lockTenant, type RequestDatabase } from '../../authority/index.ts';
import { holdingStore } from '../../holdings/index.ts';
import type { MailLimit } from '../mail-limit.ts';
import { newNotice } from '../notice.ts';
import * as noticeStore from '../notice-store.ts';
import { auditOf } from './channel-audit.ts';
import { channelHoldings } from './channel-holdings.ts';
import { assertFits, assertIsComplete } from './channel-members.ts';
import * as channelStore from './channel-store.ts';
import {
  type ChannelTarget,
  changeChannel,
  etagOf,
  type NewTarget,
  type NoticeChannelRecord,
  targetBinding,
} from './notice-channel.ts';
import { toQuietHoursRecord } from './quiet-hours.ts';

const HOUR_MS = 3_600_000;
/** Test notices of a tenant in an hour: enough to set channels up, too few to flood an address with. */
const MAX_TESTS_PER_HOUR = 20;

interface Parts {
  readonly database: RequestDatabase;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly mailLimit: MailLimit;
  /** Whether the service can send mail. */
  readonly hasMail: boolean;
  /** Throws `TargetRejectedError` for a URL that the service will not call. */
  readonly checkTarget: (url: string) => Promise<void>;
  /** Signals that waiting notices may be sent. */
  readonly wake: () => void;
}

/** Creates, changes and removes notice channels, each with its audit entry in the same transaction. */
export class NoticeChannelService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Checks a new channel. Queries name servers, so never call it inside a transaction.
   * @throws ServiceError `missing_field`, `invalid_field`
   */
  async accept(wanted: NewNoticeChannel): Promise<void> {
    assertIsComplete(wanted, this.#parts);
    await this.#acceptUrl(wanted.url);
  }

  /** Creates an accepted channel inside the caller's transaction. @throws ServiceError `notice_channel_limit_reached` */
  async create(
    tx: Queries,
    wanted: NewNoticeChannel,
    request: AdmittedRequest,
  ): Promise<NoticeChannelRecord> {
    const { tenantId } = request;
    await lockTenant(tx, tenantId);
    if ((await channelStore.count(tx, tenantId)) >= NOTICE_CHANNEL_LIMIT) {
      throw new ServiceError(
        'notice_channel_limit_reached',
        `A tenant can have at most ${NOTICE_CHANNEL_LIMIT} notice channels`,
      );
    }
    const nowMs = this.#parts.clock.now();
    const channelId = createId(ID_PREFIXES.notice_channel, nowMs);
    const { url, secret = null } = wanted;
    const channel: NoticeChannelRecord = {
      channelId,
      name: wanted.name,
      kind: wanted.kind,
      address: wanted.address ?? null,
      ...(url === undefined
        ? { target: null, urlOrigin: null }
        : this.#toStored({ url, secret }, tenantId, channelId)),
      topics: wanted.topics ?? NOTICE_TOPICS,
      minSeverity: wanted.min_severity ?? 'high',
      quietHours: toQuietHoursRecord(wanted.quiet_hours ?? null),
      maxPerHour: wanted.max_per_hour ?? DEFAULT_NOTICES_PER_HOUR,
      status: 'active',
      version: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    await channelStore.save(tx, tenantId, channel);
    await holdingStore.own(tx, request, { rule: channelHoldings, id: channelId, nowMs });
    const entry = auditOf(tenantId, channel, 'notice_channel.create');
    await auditStore.appendFor(tx, request, entry, nowMs);
    return channel;
  }

  /** @throws ServiceError `not_found`, `invalid_field`, `version_mismatch` */
  async update(
    tenantId: TenantId,
    channelId: string,
    wanted: { change: NoticeChannelChange; ifMatch: string | undefined; request: AdmittedRequest },
  ): Promise<NoticeChannelRecord> {
    const { database, clock, wake } = this.#parts;
    const { change, ifMatch, request } = wanted;
    const seen = await channelStore.find(database.read, tenantId, channelId);
    if (!seen) throw notFound('notice channel');
    assertFits(change, seen.kind);
    await this.#acceptUrl(change.url);
    const channel = await database.transaction(request, async (tx) => {
      await lockTenant(tx, tenantId);
      const before = await channelStore.findForUpdate(tx, tenantId, channelId);
      if (!before) throw notFound('notice channel');
      refuseStale(before, ifMatch);
      const nowMs = clock.now();
      const target = this.#changeTarget(tenantId, before, change);
      const after = changeChannel(before, change, { target, nowMs });
      if (after === before) return before;
      await channelStore.save(tx, tenantId, after);
      const isPaused = after.status === 'paused';
      const holding = { rule: channelHoldings, id: channelId, nowMs };
      // A URL cannot be compared, because another node may have its key.
      if (change.url !== undefined || after.address !== before.address)
        await holdingStore.own(tx, request, holding);
      else if (before.status !== 'active' && after.status === 'active')
        await holdingStore.share(tx, request, holding);
      if (isPaused) await noticeStore.removeUnsent(tx, tenantId, { channelId, nowMs });
      else await noticeStore.reconsider(tx, tenantId, { channelId, nowMs });
      const entry = auditOf(tenantId, after, 'notice_channel.update');
      await auditStore.appendFor(tx, request, entry, nowMs);
      return after;
    });
    wake();
    return channel;
  }

  /** Also removes the notices of the channel. @throws ServiceError `not_found` */
  remove(tenantId: TenantId, channelId: string, request: AdmittedRequest): Promise<void> {
    const { database, clock } = this.#parts;
    return database.transaction(request, async (tx) => {
      const channel = await channelStore.findForUpdate(tx, tenantId, channelId);
      if (!channel) throw notFound('notice channel');
      await noticeStore.removeOfChannel(tx, tenantId, channelId);
      await channelStore.remove(tx, tenantId, channelId);
      await holdingStore.release(tx, tenantId, { kind: 'notice_channel', id: channelId });
      const entry = auditOf(tenantId, channel, 'notice_channel.delete');
      await auditStore.appendFor(tx, request, entry, clock.now());
    });
  }

  /** Returns the id of a test notice. @throws ServiceError `not_found`, `invalid_state_transition`, `rate_limited` */
  async test(tenantId: TenantId, channelId: string, request: AdmittedRequest): Promise<string> {
    const { database, clock, wake } = this.#parts;
    const nowMs = clock.now();
    const noticeId = createId(ID_PREFIXES.notice, nowMs);
    await database.transaction(request, async (tx) => {
      await lockTenant(tx, tenantId);
      const channel = await channelStore.findForUpdate(tx, tenantId, channelId);
      if (!channel) throw notFound('notice channel');
      if (channel.status === 'paused') {
        throw new ServiceError('invalid_state_transition', 'The notice channel is paused; resume it first');
      }
      // Counted in the audit log: the notices of a channel are removed with it.
      const made = { action: 'notice_channel.test', sinceMs: nowMs - HOUR_MS };
      if ((await auditStore.count(tx, tenantId, made)) >= MAX_TESTS_PER_HOUR) {
        const message = `A tenant can send at most ${MAX_TESTS_PER_HOUR} test notices in an hour`;
        throw new ServiceError('rate_limited', message, { retryAfterSeconds: HOUR_MS / 1000 });
      }
      await this.#countTestMail(tx, channel);
      const message = `Test of the notice channel "${channel.name}"`;
      const about = { severity: 'low', resourceId: null, message, happenedAtMs: nowMs } as const;
      const notice = newNotice({
        ...about,
        noticeId,
        channelId,
        cause: 'test',
        causeKey: `test ${noticeId}`,
        nowMs,
      });
      await noticeStore.createMany(tx, tenantId, [notice]);
      const entry = auditOf(tenantId, channel, 'notice_channel.test');
      await auditStore.appendFor(tx, request, entry, nowMs);
    });
    wake();
    return noticeId;
  }

  /** A channel can have the address of anyone. @throws ServiceError `rate_limited` */
  async #countTestMail(tx: Queries, { address }: NoticeChannelRecord): Promise<void> {
    if (address === null) return;
    const retryAfterSeconds = await this.#parts.mailLimit.countTest(tx, address);
    if (retryAfterSeconds === 0) return;
    const message = 'This address was sent too many test notices';
    throw new ServiceError('rate_limited', message, { retryAfterSeconds });
  }

  /** @throws ServiceError `invalid_field` */
  async #acceptUrl(url: string | undefined): Promise<void> {
    if (url === undefined) return;
    try {
      await this.#parts.checkTarget(url);
    } catch (error) {
      if (!(error instanceof TargetRejectedError)) throw error;
      throw new ServiceError('invalid_field', `url is rejected: ${error.message}`, { cause: error });
    }
  }

  /** Replaces the URL, the secret or both. @throws ServiceError `missing_field` if the other one cannot be read */
  #changeTarget(
    tenantId: TenantId,
    channel: NoticeChannelRecord,
    { url, secret }: Pick<NoticeChannelChange, 'url' | 'secret'>,
  ): NewTarget | undefined {
    if (url === undefined && secret === undefined) return undefined;
    const present = openTarget(this.#parts.secrets, tenantId, channel);
    const after: ChannelTarget = {
      url: url ?? required(present?.url, 'url'),
      secret: channel.kind === 'webhook' ? (secret ?? required(present?.secret, 'secret')) : null,
    };
    return this.#toStored(after, tenantId, channel.channelId);
  }

  #toStored(target: ChannelTarget, tenantId: TenantId, channelId: string): NewTarget {
    const text = new Secret(JSON.stringify(target));
    const sealed = this.#parts.secrets.seal(text, targetBinding(tenantId, channelId));
    return { target: sealed, urlOrigin: new URL(target.url).origin };
  }
}

/** Returns where a channel posts to; undefined if it has no URL or no key of this process opens it. */
export function openTarget(
  secrets: Pick<SecretBox, 'open'>,
  tenantId: TenantId,
  { channelId, target }: Pick<NoticeChannelRecord, 'channelId' | 'target'>,
): ChannelTarget | undefined {
  const opened = target && secrets.open(target, targetBinding(tenantId, channelId));
  return opened ? (JSON.parse(opened.reveal()) as ChannelTarget) : undefined;
}

function required(value: string | null | undefined, member: string): string {
  if (value !== null && value !== undefined) return value;
  throw new ServiceError('missing_field', `${member} is required: the stored one cannot be read`);
}

function refuseStale(channel: NoticeChannelRecord, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const accepted = ifMatch.split(',').map((tag) => tag.trim());
  if (accepted.includes(etagOf(channel))) return;
  throw new ServiceError(
    'version_mismatch',
    `The notice channel is at version ${channel.version}; read it again and retry`,
  );
}
