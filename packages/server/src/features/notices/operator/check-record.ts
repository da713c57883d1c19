import { type Finding, type Level, rankOf } from './service-check.ts';

/** A problem as the operator knows it. */
export interface KnownProblem extends Finding {
  readonly sinceMs: number;
}

/** A message that is on its way to the operator. */
export interface PendingMessage extends KnownProblem {
  readonly kind: 'failing' | 'recovered';
  /** The level that the operator knows; null if they know of no problem. */
  readonly levelBefore: Level | null;
  /** The machine that found it. */
  readonly host: string;
  readonly decidedAtMs: number;
  /** The targets that have it already. */
  readonly delivered: readonly string[];
  readonly attempts: number;
  /** When it may be sent; while a process sends it, when its lease ends. */
  readonly dueAtMs: number;
}

/** What all processes remember about a check that has found a problem. Stored as JSON. */
export interface CheckRecord {
  /** Null until the first message is sent. */
  readonly known: KnownProblem | null;
  /** When a process last found a problem. */
  readonly seenAtMs: number;
  /** When a process last found a critical one; null if none did. */
  readonly criticalAtMs: number | null;
  /** Null when the operator knows all. */
  readonly message: PendingMessage | null;
}

/** What one process finds in one round. */
export interface Observation {
  readonly finding: Finding | undefined;
  /** What two rounds in a row have found. */
  readonly confirmed: KnownProblem | undefined;
  readonly nowMs: number;
  readonly host: string;
  /** Whether the record is that of all processes. If it is not, others may still find what this process does not. */
  readonly isShared: boolean;
}

/** How long no process may find a problem, or its level, before this counts as its end: each process finds its own. */
const ENDED_AFTER_MS = 90_000;
/** A record is not stored again only because the problem lasts, unless its times are older. */
const SEEN_AGAIN_MS = 20_000;
/** Longer than any attempt: a mail has 15 s. */
const LEASE_MS = 60_000;
const FIRST_DELAY_MS = 15_000;
const MAX_DELAY_MS = 600_000;

/** Returns what two results in a row have in common: one failed request to the store is not an outage. */
export function confirm(
  before: { finding: Finding | undefined; atMs: number } | undefined,
  finding: Finding | undefined,
): KnownProblem | undefined {
  if (!before?.finding || !finding) return undefined;
  const lower = rankOf(finding.level) <= rankOf(before.finding.level) ? finding : before.finding;
  return { ...lower, sinceMs: before.atMs };
}

/**
 * Returns the record after a round: with the new message if there is one, and its lease if this process is to send a
 * message. The same record again means that there is nothing to store.
 */
export function nextRecord(
  record: CheckRecord | undefined,
  observation: Observation,
): CheckRecord | undefined {
  const { nowMs } = observation;
  const seen = record && noteFinding(record, observation);
  const message = seen?.message ?? nextMessage(seen, observation);
  if (!message || message.dueAtMs > nowMs) return seen;
  const { level } = message;
  const base = seen ?? {
    ...{ known: null, seenAtMs: nowMs, criticalAtMs: level === 'critical' ? nowMs : null },
  };
  return { ...base, message: { ...message, attempts: message.attempts + 1, dueAtMs: nowMs + LEASE_MS } };
}

/** Returns the record after an attempt, unless another attempt has begun since. Undefined: nothing is wrong any more. */
export function settle(
  record: CheckRecord | undefined,
  sent: PendingMessage,
  outcome: { delivered: readonly string[]; isComplete: boolean; retryAfterMs?: number; nowMs: number },
): CheckRecord | undefined {
  const message = record?.message;
  if (!message || message.attempts !== sent.attempts || message.decidedAtMs !== sent.decidedAtMs)
    return record;
  const { delivered, isComplete, retryAfterMs = 0, nowMs } = outcome;
  if (!isComplete) {
    const usualMs = FIRST_DELAY_MS * 2 ** (message.attempts - 1);
    const delayMs = Math.min(Math.max(usualMs, retryAfterMs), MAX_DELAY_MS);
    return { ...record, message: { ...message, delivered, dueAtMs: nowMs + delayMs } };
  }
  if (message.kind === 'recovered') return undefined;
  const { level, problem, sinceMs } = message;
  return { ...record, known: { level, problem, sinceMs }, message: null };
}

/** Returns what this process knows and the store does not, or the record of the store, where another process has reported as much. */
export function merge(
  stored: CheckRecord | undefined,
  own: CheckRecord | undefined,
): CheckRecord | undefined {
  if (!stored || !own) return own;
  return rankOf(own.known?.level) > rankOf(stored.known?.level) ? own : stored;
}

function noteFinding(record: CheckRecord, { finding, nowMs }: Observation): CheckRecord {
  if (!finding) return record;
  const isCritical = finding.level === 'critical';
  const seenAtMs = isCritical ? (record.criticalAtMs ?? 0) : record.seenAtMs;
  if (nowMs - seenAtMs < SEEN_AGAIN_MS) return record;
  return { ...record, seenAtMs: nowMs, criticalAtMs: isCritical ? nowMs : record.criticalAtMs };
}

function nextMessage(
  record: CheckRecord | undefined,
  { finding, confirmed, nowMs, host, isShared }: Observation,
): PendingMessage | undefined {
  const known = record?.known ?? undefined;
  const common = {
    ...{ levelBefore: known?.level ?? null, host, decidedAtMs: nowMs },
    ...{ delivered: [], attempts: 0, dueAtMs: nowMs },
  };
  if (confirmed && rankOf(confirmed.level) > rankOf(known?.level)) {
    return { kind: 'failing', ...confirmed, ...common };
  }
  if (!record || !known || !isShared) return undefined;
  const hasEnded = (lastMs: number) => nowMs - lastMs >= ENDED_AFTER_MS;
  if (confirmed && rankOf(confirmed.level) < rankOf(known.level) && hasEnded(record.criticalAtMs ?? 0)) {
    return { kind: 'failing', ...confirmed, sinceMs: known.sinceMs, ...common };
  }
  if (!finding && hasEnded(record.seenAtMs)) return { kind: 'recovered', ...known, ...common };
  return undefined;
}
