import type { Queries } from '../../../database/index.ts';
import { toRefusal } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { deviceStore, nonceStore, replayed } from '../../devices/index.ts';
import { eventStore, feedHeadStore } from '../../feed/index.ts';
import { enqueueDeliveries } from '../../webhooks/index.ts';
import type { DerivationSettings } from '../derive/derivation-settings.ts';
import type { StatusChange } from '../derive/derivation-state.ts';
import type { DerivedLinks } from '../derive/derive.ts';
import { deriveAndSave, recordStatusChange } from '../derive/derive-and-save.ts';
import { idsToLookUp, type SequencedEvent, sequenceEvents } from './sequence-events.ts';
import type { StorableSubmission } from './storable-event.ts';
import type { SubmissionOutcome } from './submission.ts';

/**
 * Bounds on the events that are derived without a pause: 10 ms. A transaction of usual size is one segment, and each
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
  const head = await feedHeadStore.lock(tx, tenantId);
  const { refusals, devices } = await checkSubmissions(tx, tenantId, submissions);
  const accepted = submissions.filter((_, index) => refusals[index] === undefined);

  const { eventIds, correctedIds } = idsToLookUp(accepted);
  const known = eventIds.length === 0 ? [] : await eventStore.findKnown(tx, tenantId, eventIds);
  const roots = await eventStore.findRoots(tx, tenantId, correctedIds);
  const sequenced = sequenceEvents(accepted, {
    tenantId,
    feed: {
      head,
      known: new Map(known.map((event) => [event.eventId, event.body])),
      roots: new Map(roots.map((root) => [root.eventId, root])),
      chainEnds: devices,
    },
    // Arrival times never decrease along the feed, even if the clocks of the nodes do.
    receivedAtMs: Math.max(nowMs, head.receivedAtMs),
  });

  const statusChanges: StatusChange[] = [];
  for (const segment of toSegments(sequenced.newEvents)) {
    const { links, statusChanges: changed } = await deriveAndSave(tx, tenantId, { segment, settings });
    statusChanges.push(...changed);
    await eventStore.appendMany(
      tx,
      segment.map((event, index) => toRow(tenantId, event, links[index])),
    );
  }
  const senders = new Set(accepted.filter(({ events }) => events.length > 0).map(({ deviceId }) => deviceId));
  await deviceStore.saveStates(
    tx,
    tenantId,
    [...senders].map((deviceId) => {
      const end = sequenced.chainEnds.get(deviceId) ?? { sequence: null, eventHash: null };
      return { deviceId, lastSeenAtMs: nowMs, sequence: end.sequence, eventHash: end.eventHash };
    }),
  );
  if (sequenced.newEvents.length > 0) await feedHeadStore.advance(tx, tenantId, sequenced.head);
  const events = sequenced.newEvents.map(({ feedEvent }) => feedEvent);
  const webhookIds = await enqueueDeliveries(tx, tenantId, { events, nowMs });
  for (const change of statusChanges) await recordStatusChange(tx, tenantId, change);

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

/** Rejects replays, and submissions of devices that changed since verification, for example by a revocation. */
async function checkSubmissions(tx: Queries, tenantId: TenantId, submissions: readonly StorableSubmission[]) {
  const deviceIds = [...new Set(submissions.map((submission) => submission.deviceId))];
  const found = await deviceStore.findVersions(tx, tenantId, deviceIds);
  const devices = new Map(found.map((device) => [device.deviceId, device]));
  const refusals = submissions.map((submission): SubmissionOutcome | undefined => {
    const device = devices.get(submission.deviceId);
    if (!device)
      return {
        kind: 'refused',
        error: { code: 'device_not_registered', message: 'The device is not registered' },
      };
    return device.version === submission.deviceVersion ? undefined : { kind: 'stale_device' };
  });
  const current = submissions.filter((_, index) => refusals[index] === undefined);
  const claims = (await nonceStore.claim(tx, tenantId, current)).values();
  return {
    devices,
    refusals: refusals.map((refusal) => {
      if (refusal !== undefined) return refusal;
      return claims.next().value === true
        ? undefined
        : ({ kind: 'refused', error: toRefusal(replayed()) } as const);
    }),
  };
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
  const { event, body, timestampMs, eventHash } = prepared;
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
  };
}
