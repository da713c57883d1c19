import type { TenantId } from '../../../platform/tenant-id.ts';
import {
  type FeedEvent,
  type FeedHead,
  nextChainHash,
  type RootEvent,
  toFeedEvent,
} from '../../feed/index.ts';
import { advanceChain, type DeviceChainEnd } from './device-chain.ts';
import type { StorableEvent, StorableSubmission } from './storable-event.ts';
import type { EventOutcome } from './submission.ts';

/** A new event with its position in the feed. */
export interface SequencedEvent {
  readonly prepared: StorableEvent;
  readonly feedEvent: FeedEvent;
  readonly chainHash: Buffer;
  readonly signedDigest: string;
}

/** The state of the feed before these submissions. */
export interface FeedState {
  readonly head: FeedHead;
  /** Stored text by event id. */
  readonly known: ReadonlyMap<string, string>;
  /** Hashes of erased events by event id. */
  readonly erased: ReadonlyMap<string, Uint8Array>;
  readonly roots: ReadonlyMap<string, RootEvent>;
  readonly chainEnds: ReadonlyMap<string, DeviceChainEnd>;
}

export interface SequenceResult {
  readonly newEvents: readonly SequencedEvent[];
  /** The outcomes of each submission's events, in order. */
  readonly outcomes: readonly EventOutcome[][];
  readonly head: FeedHead;
  readonly chainEnds: ReadonlyMap<string, DeviceChainEnd>;
}

/**
 * Assigns each new event its position, its place in the hash chain of the feed, and its place in the device's own
 * chain. Known events keep their position; an event that contradicts a known one is rejected, without affecting
 * others. Pure.
 */
export function sequenceEvents(
  submissions: readonly StorableSubmission[],
  { tenantId, feed, receivedAtMs }: { tenantId: TenantId; feed: FeedState; receivedAtMs: number },
): SequenceResult {
  const known = new Map(feed.known);
  const roots = new Map(feed.roots);
  const chainEnds = new Map(feed.chainEnds);
  const newEvents: SequencedEvent[] = [];
  let { position, chainHash } = feed.head;

  const sequence = (prepared: StorableEvent, submission: StorableSubmission): EventOutcome => {
    const { event, body } = prepared;
    const stored = known.get(event.event_id);
    if (stored !== undefined)
      return stored === body ? { kind: 'duplicate' } : refuse('event_id_conflict', CONFLICT);
    const erased = feed.erased.get(event.event_id);
    // The device may delete its copy: what was erased is not stored again.
    if (erased !== undefined)
      return prepared.eventHash.equals(erased)
        ? { kind: 'duplicate' }
        : refuse('event_id_conflict', CONFLICT);
    const root = event.corrects_event_id === undefined ? undefined : roots.get(event.corrects_event_id);
    const problem =
      event.corrects_event_id === undefined ? undefined : findRootProblem(root, submission.deviceId);
    if (problem !== undefined) return refuse('original_event_not_found', problem);

    const end = chainEnds.get(submission.deviceId) ?? { sequence: null, eventHash: null };
    const chain = advanceChain(end, { ...event, receivedHash: prepared.receivedHash });
    chainEnds.set(submission.deviceId, chain.end);
    position += 1;
    const nextHash = nextChainHash(chainHash, prepared.eventHash);
    chainHash = nextHash;
    const feedEvent = toFeedEvent(event, {
      tenantId,
      position,
      receivedAtMs,
      decidedAtMs: root?.decidedAtMs ?? prepared.timestampMs,
      deviceChain: chain.state,
      subject: prepared.subject,
    });
    newEvents.push({ prepared, feedEvent, chainHash: nextHash, signedDigest: submission.signedDigest });
    known.set(event.event_id, body);
    roots.set(event.event_id, {
      eventId: event.event_id,
      deviceId: submission.deviceId,
      isCorrection: root !== undefined,
      decidedAtMs: prepared.timestampMs,
    });
    return { kind: 'stored' };
  };

  const outcomes = submissions.map((submission) =>
    submission.events.map((prepared) => sequence(prepared, submission)),
  );
  return { newEvents, outcomes, chainEnds, head: { position, chainHash, receivedAtMs } };
}

/** The ids that `sequenceEvents` must look up: ids that may already exist, and those of corrected events. */
export function idsToLookUp(submissions: readonly StorableSubmission[]): {
  eventIds: string[];
  correctedIds: string[];
} {
  const events = submissions.flatMap((submission) => submission.events.map((prepared) => prepared.event));
  return {
    eventIds: [...new Set(events.map((event) => event.event_id))],
    correctedIds: [...new Set(events.flatMap((event) => event.corrects_event_id ?? []))],
  };
}

const CONFLICT = 'event_id is already used by an event with other content';

function findRootProblem(root: RootEvent | undefined, deviceId: string): string | undefined {
  if (!root || root.deviceId !== deviceId) return 'corrects_event_id does not name an event of this device';
  if (root.isCorrection) return 'corrects_event_id names a correction; use the id of the original event';
  return undefined;
}

function refuse(code: 'event_id_conflict' | 'original_event_not_found', message: string): EventOutcome {
  return { kind: 'refused', error: { code, message } };
}
