import type { ReadQueries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import {
  type ErasedEvent,
  erasedEventStore,
  eventHashOf,
  type FeedHead,
  feedHeadStore,
  nextChainHash,
} from '../../feed/index.ts';
import { type ChainPoint, ExpectedPoints } from './checkpoint.ts';
import { findDifferingColumn } from './event-columns.ts';
import type { ChainedEvent } from './feed-check-read-model.ts';
import * as feedCheckReadModel from './feed-check-read-model.ts';

/** The number of events in memory at a time. */
const PAGE = 200;
/** Retention is set in whole days, so events of the last day are never purged. */
const ALWAYS_KEPT_MS = 86_400_000;

export interface FeedCheck {
  /** The number of events that were verified. */
  readonly events: number;
  /** Describes the first problem; undefined if the feed is sound. */
  readonly problem: string | undefined;
  /** The recorded end; undefined if the tenant never had an event. */
  readonly end?: ChainPoint;
}

type Link = Pick<ChainedEvent, 'position' | 'chain_hash' | 'received_at'>;

const START: Link = { position: 0, chain_hash: new Uint8Array(32), received_at: 0 };

/**
 * Verifies a tenant's feed from the stored texts: positions without gaps from the first stored event on, the hash of each
 * text, the columns that repeat parts of it, the hash chain, the recorded end, and the expected points
 * of the chain. In the place of an event that was erased on request stand the hashes of its text and of the chain. Events
 * may arrive or be purged while it runs. A missing beginning looks the same as a purge; it is reported only if events are
 * missing that arrived within the last day.
 */
export async function verifyFeed(
  queries: ReadQueries,
  tenantId: TenantId,
  {
    clock,
    expected = new ExpectedPoints(),
    mayBeErased = true,
  }: {
    clock: Clock;
    expected?: ExpectedPoints;
    /** False for a store of a version that has no places of erased events. */
    mayBeErased?: boolean;
  },
): Promise<FeedCheck> {
  // The order matters: a head that is read after the newest event cannot lie before that event.
  const newest = (await feedCheckReadModel.findEnd(queries, tenantId, 'newest')) ?? 0;
  const head = await feedHeadStore.read(queries, tenantId);
  if (newest > head.position) {
    return { events: 0, problem: `event ${newest} lies after the recorded end ${head.position}` };
  }
  const short = expected.whyTooShort(head.position);
  if (short !== undefined) return { events: 0, problem: `its ${short}` };
  const end = { position: head.position, hash: Buffer.from(head.chainHash).toString('hex') };
  let before: Link | undefined;
  let events = 0;
  for (;;) {
    const span = { after: before?.position ?? 0, until: head.position, limit: PAGE };
    const page = await feedCheckReadModel.listChained(queries, tenantId, span);
    for (const event of page) {
      const problem = await whyNotNext(queries, tenantId, { event, before, expected, mayBeErased, clock });
      if (problem !== undefined) return { events, problem };
      before = event;
      events += 1;
    }
    if (page.length === PAGE) continue;
    const isGone = await isAllGone(queries, tenantId, head);
    const rest = { until: head.position, expected, mayBeErased, clock };
    const passed = await passErased(queries, tenantId, { ...rest, before: isGone ? undefined : before });
    if (passed.problem !== undefined) return { events, problem: passed.problem, end };
    const isLost = isGone && passed.before === undefined;
    const problem = isLost
      ? await whyLost(queries, tenantId, { head, clock })
      : whyNotEnd(passed.before, head);
    return { events, problem, end };
  }
}

interface Settings {
  readonly expected: ExpectedPoints;
  readonly mayBeErased: boolean;
  readonly clock: Clock;
}

/** Explains why an event does not follow the one before it, or the places of erased events between both. */
async function whyNotNext(
  queries: ReadQueries,
  tenantId: TenantId,
  parts: Settings & { event: ChainedEvent; before: Link | undefined },
): Promise<string | undefined> {
  const { event, expected } = parts;
  const before = (await isFirstKept(queries, tenantId, parts)) ? undefined : parts.before;
  const span = { ...parts, before, until: event.position - 1 };
  const passed = await passErased(queries, tenantId, span);
  return passed.problem ?? whyBroken(event, { before: passed.before, tenantId, expected });
}

/**
 * Continues the chain over the places of erased events. Returns the last link. Between places before the first stored event
 * there may be gaps, in which events were purged: the chain begins again after each.
 */
async function passErased(
  queries: ReadQueries,
  tenantId: TenantId,
  parts: Settings & { before: Link | undefined; until: number },
): Promise<{ before: Link | undefined; problem: string | undefined }> {
  const { until, expected, mayBeErased } = parts;
  const isBeginning = parts.before === undefined;
  let { before } = parts;
  for (let after = before?.position ?? 0; mayBeErased && after < until; ) {
    const page = await erasedEventStore.listSpan(queries, tenantId, { after, until, limit: PAGE });
    if (page.length === 0) break;
    for (const erased of page) {
      if (isBeginning && before && isGap(before, erased.position)) {
        const problem = await whyGap(queries, tenantId, { before, clock: parts.clock });
        if (problem !== undefined) return { before, problem };
        before = undefined;
      }
      const problem = whyErasedBroken(erased, { before, expected });
      if (problem !== undefined) return { before, problem };
      const { position, chainHash, receivedAtMs } = erased;
      before = { position, chain_hash: chainHash, received_at: receivedAtMs };
      after = position;
    }
  }
  if (!isBeginning || !before || !isGap(before, until + 1)) return { before, problem: undefined };
  const problem = await whyGap(queries, tenantId, { before, clock: parts.clock });
  return { before: undefined, problem };
}

function isGap(before: Link, position: number): boolean {
  return before.position !== position - 1;
}

/** Explains why retention cannot have removed the events after this place; they arrived later. */
async function whyGap(
  queries: ReadQueries,
  tenantId: TenantId,
  { before, clock }: { before: Link; clock: Clock },
): Promise<string | undefined> {
  const nowMs = clock.now();
  if (before.received_at <= nowMs - ALWAYS_KEPT_MS) return undefined;
  if (await feedCheckReadModel.isBeingRemoved(queries, tenantId, nowMs)) return undefined;
  return `events are missing after erased event ${before.position}, which arrived less than a day ago, and retention keeps events for at least a day`;
}

function whyErasedBroken(
  { position, eventHash, chainHash, receivedAtMs }: ErasedEvent,
  { before, expected }: { before: Link | undefined; expected: ExpectedPoints },
): string | undefined {
  if (before && isGap(before, position))
    return `erased event ${position} follows event ${before.position}: events are missing in between`;
  const link = before ?? (position === 1 ? START : undefined);
  if (link && !nextChainHash(link.chain_hash, eventHash).equals(chainHash))
    return `the chain hash of erased event ${position} does not follow from the previous event`;
  if (link && receivedAtMs < link.received_at)
    return `erased event ${position} arrived before event ${link.position}`;
  const difference = expected.whyDiffers(position, chainHash);
  return difference === undefined ? undefined : `its ${difference}`;
}

/** Whether the events before this one were purged during the verification. */
async function isFirstKept(
  queries: ReadQueries,
  tenantId: TenantId,
  { event, before }: { event: ChainedEvent; before: Link | undefined },
): Promise<boolean> {
  if (before === undefined || event.position === before.position + 1) return false;
  return (await feedCheckReadModel.findEnd(queries, tenantId, 'first')) === event.position;
}

/** Whether all events up to the recorded end are missing, possibly purged during the verification. */
async function isAllGone(queries: ReadQueries, tenantId: TenantId, head: FeedHead): Promise<boolean> {
  const first = await feedCheckReadModel.findEnd(queries, tenantId, 'first');
  return first === undefined || first > head.position;
}

/** Explains why an empty feed was lost; returns undefined if retention or a deletion can have removed it. */
async function whyLost(
  queries: ReadQueries,
  tenantId: TenantId,
  { head: { position, receivedAtMs }, clock }: { head: FeedHead; clock: Clock },
): Promise<string | undefined> {
  const nowMs = clock.now();
  if (position === 0 || receivedAtMs <= nowMs - ALWAYS_KEPT_MS) return undefined;
  if (await feedCheckReadModel.isBeingRemoved(queries, tenantId, nowMs)) return undefined;
  return `all events are missing, although event ${position} arrived less than a day ago and retention keeps events for at least a day`;
}

/** The chain hash of the first stored event is not checked unless it is event 1: its predecessor was purged. */
function whyBroken(
  event: ChainedEvent,
  parts: { before: Link | undefined; tenantId: TenantId; expected: ExpectedPoints },
): string | undefined {
  const { before, tenantId, expected } = parts;
  const { position, body, event_hash: eventHash, chain_hash: chainHash } = event;
  if (before !== undefined && position !== before.position + 1)
    return `event ${position} follows event ${before.position}: events are missing in between`;
  if (!eventHashOf(body).equals(eventHash))
    return `the stored text of event ${position} does not match its hash`;
  const link = before ?? (position === 1 ? START : undefined);
  if (link !== undefined && !nextChainHash(link.chain_hash, eventHash).equals(chainHash))
    return `the chain hash of event ${position} does not follow from the previous event`;
  const column = findDifferingColumn(event, tenantId);
  if (column !== undefined) return `${column} of event ${position} contradicts its stored text`;
  if (link !== undefined && event.received_at < link.received_at)
    return `event ${position} arrived before event ${link.position}`;
  const difference = expected.whyDiffers(position, chainHash);
  return difference === undefined ? undefined : `its ${difference}`;
}

function whyNotEnd(last: Link = START, head: FeedHead): string | undefined {
  if (last.position !== head.position)
    return `the last event is ${last.position}, but the recorded end is ${head.position}`;
  if (last.position > 0 && last.received_at !== head.receivedAtMs)
    return `the arrival of the recorded end ${head.position} differs from that of the event`;
  return Buffer.from(last.chain_hash).equals(head.chainHash)
    ? undefined
    : `the chain hash of the recorded end ${head.position} differs from that of the event`;
}
