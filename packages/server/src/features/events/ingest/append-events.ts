import { type Queries, together } from '../../../database/index.ts';
import { toRefusal } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { deviceStore, nonceStore, replayed } from '../../devices/index.ts';
import {
  erasedEventStore,
  eventStore,
  type FeedHead,
  feedHeadStore,
  filterKeysOf,
  type RootEvent,
} from '../../feed/index.ts';
import { enqueueDeliveries } from '../../webhooks/index.ts';
import type { DerivationSettings } from '../derive/derivation-settings.ts';
import type { DerivedLinks } from '../derive/derive.ts';
import { type DerivedSegment, deriveAndSave, recordStatusChange } from '../derive/derive-and-save.ts';
import { saveStatistics } from './save-statistics.ts';
import { idsToLookUp, type SequencedEvent, sequenceEvents } from './sequence-events.ts';
import type { StorableSubmission } from './storable-event.ts';
import type { SubmissionOutcome } from './submission.ts';

/**
 * Bounds on the events that are derived together, which takes 10 ms. A transaction of usual size is one segment, and each
 * further segment adds a dozen statements.
 */
const MAX_SEGMENT_EVENTS = 256;
const MAX_SEGMENT_KEYS = 2_000;

export interface AppendResult {
  /** The outcome of each submission. */
  readonly outcomes: ReadonlyMap<StorableSubmission, SubmissionOutcome>;
  /** Webhooks that have deliveries once this is committed. */
  readonly webhookIds: string[];
}

/**
 * Appends the events of one tenant's submissions to its feed, runs derivation, and writes their webhook deliveries,
 * inside a transaction.
 * The feed's end is locked first and advanced last: positions have no gaps and are in commit order, also across
 * nodes.
 */
export async function appendEvents(
  tx: Queries,
  tenantId: TenantId,
  parts: { submissions: readonly StorableSubmission[]; nowMs: number; settings: DerivationSettings },
): Promise<AppendResult> {
  const { submissions, nowMs, settings } = parts;
  const { head, known, erased, roots, devices, refusals } = await readState(tx, tenantId, submissions);
  const accepted = submissions.filter((_, index) => refusals[index] === undefined);
  // Arrival times never decrease along the feed, even if the clocks of the nodes do.
  const receivedAtMs = Math.max(nowMs, head.receivedAtMs);
  const sequenced = sequenceEvents(accepted, {
    tenantId,
    feed: {
      head,
      known: new Map(known.map((event) => [event.eventId, event.body])),
      erased,
      roots: new Map(roots.map((root) => [root.eventId, root])),
      chainEnds: devices,
    },
    receivedAtMs,
  });
  const { newEvents } = sequenced;
  const [, derived, webhookIds] = await together(
    nonceStore.use(tx, tenantId, accepted),
    saveEvents(tx, tenantId, { newEvents, settings }),
    enqueueDeliveries(tx, tenantId, {
      events: newEvents.map(({ feedEvent }) => feedEvent),
      nowMs,
    }),
  );
  const senders = new Set(accepted.filter(({ events }) => events.length > 0).map(({ deviceId }) => deviceId));
  const active = new Set(newEvents.map(({ feedEvent }) => feedEvent.deviceId));
  await deviceStore.saveStates(
    tx,
    tenantId,
    [...senders].map((deviceId) => {
      const { sequence, eventHash } = sequenced.chainEnds.get(deviceId) ?? {
        sequence: null,
        eventHash: null,
      };
      const before = devices.get(deviceId)?.lastEventAtMs ?? null;
      const lastEventAtMs = active.has(deviceId) ? receivedAtMs : before;
      return { deviceId, lastSeenAtMs: nowMs, sequence, eventHash, lastEventAtMs };
    }),
  );
  if (newEvents.length > 0) {
    await saveStatistics(tx, tenantId, { newEvents, receivedAtMs, devices, derived });
    await feedHeadStore.advance(tx, tenantId, sequenced.head);
  }
  for (const { statusChanges } of derived) {
    for (const change of statusChanges) await recordStatusChange(tx, tenantId, change);
  }

  const outcomes = sequenced.outcomes.values();
  return {
    outcomes: new Map(
      submissions.map((submission, index) => [
        submission,
        refusals[index] ?? { kind: 'accepted', events: outcomes.next().value ?? [] },
      ]),
    ),
    webhookIds,
  };
}

/**
 * Locks the feed, and reads what the submissions depend on. The reads are sent with the lock, but PostgreSQL runs them after
 * it: each sees what was committed before it began. A tenant without events has nothing to lock yet; it is read again.
 */
async function readState(
  tx: Queries,
  tenantId: TenantId,
  submissions: readonly StorableSubmission[],
): Promise<ReadState> {
  const { eventIds, correctedIds } = idsToLookUp(submissions);
  const deviceIds = [...new Set(submissions.map(({ deviceId }) => deviceId))];
  const [head, versions, isUnused, known, erased, roots] = await together(
    feedHeadStore.lockExisting(tx, tenantId),
    deviceStore.findVersions(tx, tenantId, deviceIds),
    nonceStore.findUnused(tx, tenantId, submissions),
    eventStore.findKnown(tx, tenantId, eventIds),
    erasedEventStore.findHashes(tx, tenantId, eventIds),
    eventStore.findRoots(tx, tenantId, correctedIds),
  );
  if (head) return { head, known, erased, roots, ...checkSubmissions(submissions, versions, isUnused) };
  await feedHeadStore.create(tx, tenantId);
  return readState(tx, tenantId, submissions);
}

interface ReadState extends CheckedSubmissions {
  readonly head: FeedHead;
  readonly known: readonly eventStore.KnownEvent[];
  readonly erased: ReadonlyMap<string, Uint8Array>;
  readonly roots: readonly RootEvent[];
}

interface CheckedSubmissions {
  readonly devices: ReadonlyMap<string, deviceStore.DeviceVersion>;
  /** One for each submission; undefined if it is accepted. */
  readonly refusals: readonly (SubmissionOutcome | undefined)[];
}

/** Rejects replays, and submissions of devices that changed since verification, for example by a revocation. */
function checkSubmissions(
  submissions: readonly StorableSubmission[],
  versions: readonly deviceStore.DeviceVersion[],
  isUnused: readonly boolean[],
): CheckedSubmissions {
  const devices = new Map(versions.map((device) => [device.deviceId, device]));
  const refusals = submissions.map(({ deviceId, deviceVersion }, index): SubmissionOutcome | undefined => {
    const device = devices.get(deviceId);
    if (!device) {
      const error = { code: 'device_not_registered', message: 'The device is not registered' } as const;
      return { kind: 'refused', error };
    }
    if (device.version !== deviceVersion) return { kind: 'stale_device' };
    return isUnused[index] ? undefined : { kind: 'refused', error: toRefusal(replayed()) };
  });
  return { devices, refusals };
}

/** Derives and stores new events. Returns the result of each segment. */
async function saveEvents(
  tx: Queries,
  tenantId: TenantId,
  { newEvents, settings }: { newEvents: readonly SequencedEvent[]; settings: DerivationSettings },
): Promise<DerivedSegment[]> {
  const derived: DerivedSegment[] = [];
  for (const segment of toSegments(newEvents)) {
    const result = await deriveAndSave(tx, tenantId, { segment, settings });
    derived.push(result);
    await eventStore.appendMany(
      tx,
      segment.map((event, index) => toRow(tenantId, event, result.links[index])),
    );
  }
  return derived;
}

/**
 * Cuts before and after each correction, because a correction is derived from the stored state of the event it corrects, and
 * where a segment would take long to derive.
 */
function toSegments(newEvents: readonly SequencedEvent[]): SequencedEvent[][] {
  const segments: SequencedEvent[][] = [];
  let wasCorrection = true;
  let keys = 0;
  for (const event of newEvents) {
    const isCorrection = event.prepared.event.corrects_event_id !== undefined;
    keys += event.feedEvent.correlationKeys.length;
    const segment = segments.at(-1);
    const isFull = segment?.length === MAX_SEGMENT_EVENTS || keys > MAX_SEGMENT_KEYS;
    if (segment === undefined || isCorrection || wasCorrection || isFull) {
      segments.push([event]);
      keys = event.feedEvent.correlationKeys.length;
    } else {
      segment.push(event);
    }
    wasCorrection = isCorrection;
  }
  return segments;
}

function toRow(
  tenantId: TenantId,
  { prepared, feedEvent, chainHash, signedDigest }: SequencedEvent,
  links: DerivedLinks | undefined,
) {
  const { event, body, timestampMs, eventHash, subject } = prepared;
  return {
    tenant_id: tenantId,
    position: feedEvent.position,
    event_id: event.event_id,
    received_at: feedEvent.receivedAtMs,
    timestamp: timestampMs,
    device_id: event.device_id,
    threat_category: event.threat_category,
    severity: event.severity,
    threat_id: links?.threatId ?? null,
    alert_id: links?.alertId ?? null,
    corrects_event_id: event.corrects_event_id ?? null,
    device_chain: feedEvent.deviceChain,
    event_hash: eventHash,
    chain_hash: chainHash,
    signed_digest: Buffer.from(signedDigest, 'hex'),
    body,
    filter_keys: filterKeysOf(event, subject),
  };
}
