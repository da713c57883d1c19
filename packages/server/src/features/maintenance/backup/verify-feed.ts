import type { ReadQueries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { eventHashOf, type FeedHead, feedHeadStore, nextChainHash } from '../../feed/index.ts';
import type { ChainedEvent } from './feed-check-read-model.ts';
import * as feedCheckReadModel from './feed-check-read-model.ts';

/** How many events are in memory at once. */
const PAGE = 200;
/** Retention keeps at least this much of a feed: its settings are in days. */
const ALWAYS_KEPT_MS = 86_400_000;

export interface FeedCheck {
  /** How many events were found in order. */
  readonly events: number;
  /** The first thing that is wrong, in words; undefined when all is well. */
  readonly problem: string | undefined;
}

type Link = Pick<ChainedEvent, 'position' | 'chainHash'>;

const START: Link = { position: 0, chainHash: new Uint8Array(32) };

/**
 * Recomputes a tenant's feed from the stored texts: positions without a gap from the first that is kept, the hash of each
 * text, the chain over them, and the recorded end. Events that arrive, or that retention removes, meanwhile do no harm.
 * That a beginning is missing cannot be told from what retention does, unless nothing is left of what came lately.
 */
export async function verifyFeed(queries: ReadQueries, tenantId: TenantId, clock: Clock): Promise<FeedCheck> {
  // In this order: the end that is read later cannot lie before an event that is read now.
  const newest = (await feedCheckReadModel.findEnd(queries, tenantId, 'newest')) ?? 0;
  const head = await feedHeadStore.read(queries, tenantId);
  if (newest > head.position) {
    return { events: 0, problem: `there is an event ${newest} after the recorded end ${head.position}` };
  }
  let before: Link | undefined;
  let events = 0;
  for (;;) {
    const span = { after: before?.position ?? 0, until: head.position, limit: PAGE };
    const page = await feedCheckReadModel.listChained(queries, tenantId, span);
    for (const event of page) {
      if (await isFirstKept(queries, tenantId, { event, before })) before = undefined;
      const problem = whyBroken(event, before);
      if (problem !== undefined) return { events, problem };
      before = event;
      events += 1;
    }
    if (page.length === PAGE) continue;
    if (await isAllGone(queries, tenantId, head)) {
      return { events, problem: await whyLost(queries, tenantId, { head, clock }) };
    }
    return { events, problem: whyNotEnd(before, head) };
  }
}

/** Whether what lies before an event is gone because retention has removed it while this was reading. */
async function isFirstKept(
  queries: ReadQueries,
  tenantId: TenantId,
  { event, before }: { event: ChainedEvent; before: Link | undefined },
): Promise<boolean> {
  if (before === undefined || event.position === before.position + 1) return false;
  return (await feedCheckReadModel.findEnd(queries, tenantId, 'first')) === event.position;
}

/** Whether everything up to the recorded end is gone, possibly since this began to read. */
async function isAllGone(queries: ReadQueries, tenantId: TenantId, head: Link): Promise<boolean> {
  const first = await feedCheckReadModel.findEnd(queries, tenantId, 'first');
  return first === undefined || first > head.position;
}

/** Says of a feed of which nothing is left that it was not retention that removed it. */
async function whyLost(
  queries: ReadQueries,
  tenantId: TenantId,
  { head: { position, receivedAtMs }, clock }: { head: FeedHead; clock: Clock },
): Promise<string | undefined> {
  const nowMs = clock.now();
  if (position === 0 || receivedAtMs <= nowMs - ALWAYS_KEPT_MS) return undefined;
  if (await feedCheckReadModel.isBeingRemoved(queries, tenantId, nowMs)) return undefined;
  return `no event is left, but the recorded end ${position} arrived less than a day ago, and retention keeps that long`;
}

/** Of the first event that is kept, unless it is the first of all, the chain hash is taken as given: what it follows is gone. */
function whyBroken(event: ChainedEvent, before: Link | undefined): string | undefined {
  const { position, body, eventHash, chainHash } = event;
  if (before !== undefined && position !== before.position + 1)
    return `event ${position} follows event ${before.position}`;
  if (!eventHashOf(body).equals(eventHash)) return `event ${position} is not what was hashed when it arrived`;
  const link = before ?? (position === 1 ? START : undefined);
  if (link !== undefined && !nextChainHash(link.chainHash, eventHash).equals(chainHash))
    return `the chain hash of event ${position} does not follow from the one before`;
  return undefined;
}

function whyNotEnd(last: Link = START, head: Link): string | undefined {
  if (last.position !== head.position)
    return `the last event is ${last.position}, the recorded end ${head.position}`;
  return Buffer.from(last.chainHash).equals(head.chainHash)
    ? undefined
    : `the recorded end ${head.position} has another chain hash than its event`;
}
