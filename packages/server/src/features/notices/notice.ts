import type { Notice, NoticeCause, NoticeState, Severity } from '@tps/contract';
import { NOTICE_RETENTION_DAYS } from '@tps/contract/vocabulary';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';

export const RETENTION_MS = NOTICE_RETENTION_DAYS * 86_400_000;
/** Lines of a digest; the other notices are only counted. */
const MAX_LINES = 50;
/** Characters of the lines of a digest. Slack takes 40 000, and escaping makes one character five. */
const MAX_LINES_LENGTH = 6000;
/** Characters of a message in a digest. */
const MAX_LINE_MESSAGE = 200;
/** Messages name devices and indicators, which may be long. */
const MAX_MESSAGE = 500;

/** A message to one channel about one cause. */
export interface NoticeRecord {
  readonly noticeId: string;
  readonly channelId: string;
  readonly cause: NoticeCause;
  /** Identifies the cause: a channel has one notice about it. */
  readonly causeKey: string;
  readonly severity: Severity;
  readonly resourceId: string | null;
  readonly message: string;
  readonly happenedAtMs: number;
  readonly state: NoticeState;
  /** When it may be claimed; for one that is being sent, when its lease ends. Null when it is settled. */
  readonly dueAtMs: number | null;
  readonly attempts: number;
  /** When the last attempt began. */
  readonly startedAtMs: number | null;
  readonly lastError: string | null;
  readonly digestId: string | null;
  readonly createdAtMs: number;
  readonly sentAtMs: number | null;
}

/** Causes that are the end of another one. */
export const ENDING_CAUSES = ['incident_resolved', 'protection_restored'] as const;

/** What happened, for people. */
export const TITLES: Readonly<Record<NoticeCause, string>> = {
  incident_opened: 'Incident opened',
  incident_resolved: 'Incident resolved',
  protection_degraded: 'Protection degraded',
  protection_restored: 'Protection restored',
  digest: 'Summary of notices',
  test: 'Test notice',
};

/** Creates a notice that has not been sent yet. */
export function newNotice(
  parts: Pick<
    NoticeRecord,
    'noticeId' | 'channelId' | 'cause' | 'causeKey' | 'severity' | 'resourceId' | 'message' | 'happenedAtMs'
  > & { nowMs: number },
): NoticeRecord {
  const { nowMs, ...given } = parts;
  return {
    ...given,
    message: toPlainText(given.message),
    state: 'waiting',
    dueAtMs: nowMs,
    attempts: 0,
    startedAtMs: null,
    lastError: null,
    digestId: null,
    createdAtMs: nowMs,
    sentAtMs: null,
  };
}

/** Creates the digest of several notices, the most severe first. It is one message with a line for each. */
export function newDigest(
  notices: readonly [NoticeRecord, ...NoticeRecord[]],
  { noticeId, nowMs }: { noticeId: string; nowMs: number },
): NoticeRecord {
  const [first] = notices;
  const lines = toLines(notices);
  const left = notices.length - lines.length;
  const happenedAtMs = Math.min(...notices.map((notice) => notice.happenedAtMs));
  const causeKey = `digest ${first.noticeId}`;
  return {
    ...newNotice({ ...first, noticeId, cause: 'digest', causeKey, happenedAtMs, nowMs }),
    resourceId: null,
    message: [
      `${notices.length} notices since ${toShortTime(happenedAtMs)}:`,
      ...lines,
      ...(left > 0 ? [`- and ${left} more`] : []),
    ].join('\n'),
  };
}

function toLines(notices: readonly NoticeRecord[]): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const notice of notices.slice(0, MAX_LINES)) {
    const line = toLine(notice);
    length += line.length;
    if (length > MAX_LINES_LENGTH) break;
    lines.push(line);
  }
  return lines;
}

function toLine({ happenedAtMs, severity, cause, message }: NoticeRecord): string {
  const short = cut(message, MAX_LINE_MESSAGE);
  return `- ${toShortTime(happenedAtMs)} [${severity}] ${TITLES[cause]}: ${short}`;
}

/** Devices choose parts of a message: it stays one line without invisible characters. */
export function toPlainText(text: string): string {
  return cut(text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim(), MAX_MESSAGE);
}

/** Cuts between words, because a data request cannot find a part of a name. Never cuts a character in two. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = text.lastIndexOf(' ', maxLength - 1);
  const kept = text.slice(0, end > 0 ? end : maxLength - 1);
  return `${kept.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** For people, to the second, in UTC. */
export function toShortTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function toNotice(notice: NoticeRecord, tenantId: TenantId): Notice {
  return {
    notice_id: notice.noticeId,
    tenant_id: tenantId,
    channel_id: notice.channelId,
    cause: notice.cause,
    severity: notice.severity,
    resource_id: notice.resourceId,
    message: notice.message,
    happened_at: toTimestamp(notice.happenedAtMs),
    state: notice.state,
    attempts: notice.attempts,
    due_at: notice.state === 'waiting' ? toOptionalTimestamp(notice.dueAtMs) : null,
    last_error: notice.lastError,
    digest_id: notice.digestId,
    created_at: toTimestamp(notice.createdAtMs),
    sent_at: toOptionalTimestamp(notice.sentAtMs),
  };
}
