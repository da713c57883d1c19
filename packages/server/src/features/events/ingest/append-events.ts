import type { Queries } from '../../../database/index.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { deviceStore, nonceStore, replayed } from '../../devices/index.ts';
import { eventStore, feedHeadStore } from '../../feed/index.ts';
import { enqueueDeliveries } from '../../webhooks/index.ts';
import type { DerivationSettings } from '../derive/derivation-settings.ts';
import type { Placement } from '../derive/derive.ts';
import { deriveAndSave } from '../derive/derive-and-save.ts';
import { idsToKnow, type PlacedEvent, placeEvents } from './sequence-events.ts';
import type { Submission, SubmissionOutcome } from './submission.ts';

export interface AppendResult {
  /** For each submission, in order, what became of it. */
  readonly outcomes: SubmissionOutcome[];
  /** Webhooks that have something to send once this is committed. */
  readonly webhookIds: string[];
}

/**
 * Appends the events of one tenant's submissions to its feed, derives what follows from them and writes their deliveries
 * to webhooks, inside a transaction.
 * The feed's end is locked first and moved last: positions are gapless and in commit order, also across nodes.
 */
export async function appendEvents(
  tx: Queries,
  tenantId: TenantId,
  parts: { submissions: readonly Submission[]; nowMs: number; settings: DerivationSettings },
): Promise<AppendResult> {
  const { submissions, nowMs, settings } = parts;
  const head = await feedHeadStore.lock(tx, tenantId);
  const { refusals, standings } = await checkSubmissions(tx, tenantId, submissions);
  const accepted = submissions.filter((_, index) => refusals[index] === undefined);

  const { eventIds, correctedIds } = idsToKnow(accepted);
  const known = eventIds.length === 0 ? [] : await eventStore.findKnown(tx, tenantId, eventIds);
  const roots = await eventStore.findRoots(tx, tenantId, correctedIds);
  const placing = placeEvents(accepted, {
    before: {
      head,
      known: new Map(known.map((event) => [event.eventId, event.body])),
      roots: new Map(roots.map((root) => [root.eventId, root])),
      chainEnds: standings,
    },
    // Arrivals never run backwards along the feed, whatever the clocks of the nodes do.
    receivedAtMs: Math.max(nowMs, head.receivedAtMs),
  });

  for (const segment of toSegments(placing.placed)) {
    const placements = await deriveAndSave(tx, tenantId, { segment, settings });
    await eventStore.appendMany(
      tx,
      segment.map((event, index) => toRow(tenantId, event, placements[index])),
    );
  }
  const heardOf = new Set(accepted.filter(({ events }) => events.length > 0).map(({ deviceId }) => deviceId));
  await deviceStore.saveStates(
    tx,
    tenantId,
    [...heardOf].map((deviceId) => {
      const end = placing.chainEnds.get(deviceId) ?? { sequence: null, eventHash: null };
      return { deviceId, lastSeenAtMs: nowMs, sequence: end.sequence, eventHash: end.eventHash };
    }),
  );
  if (placing.placed.length > 0) await feedHeadStore.advance(tx, tenantId, placing.head);
  const decisions = placing.placed.map(({ decision }) => decision);
  const webhookIds = await enqueueDeliveries(tx, tenantId, { decisions, nowMs });

  const taken = placing.outcomes.values();
  return {
    outcomes: refusals.map((refusal) => refusal ?? { kind: 'taken', events: taken.next().value ?? [] }),
    webhookIds,
  };
}

/** Refuses replays, and submissions of devices that have changed meanwhile: a revocation is a change too. */
async function checkSubmissions(tx: Queries, tenantId: TenantId, submissions: readonly Submission[]) {
  const deviceIds = [...new Set(submissions.map((submission) => submission.deviceId))];
  const found = await deviceStore.findStandings(tx, tenantId, deviceIds);
  const standings = new Map(found.map((standing) => [standing.deviceId, standing]));
  const refusals = submissions.map((submission): SubmissionOutcome | undefined => {
    const standing = standings.get(submission.deviceId);
    if (!standing)
      return {
        kind: 'refused',
        error: new ServiceError('device_not_registered', 'The device is not registered'),
      };
    return standing.version === submission.deviceVersion ? undefined : { kind: 'stale_device' };
  });
  const current = submissions.filter((_, index) => refusals[index] === undefined);
  const claims = (await nonceStore.claim(tx, tenantId, current)).values();
  return {
    standings,
    refusals: refusals.map((refusal) => {
      if (refusal !== undefined) return refusal;
      return claims.next().value === true ? undefined : ({ kind: 'refused', error: replayed() } as const);
    }),
  };
}

/** Cuts before and after each correction, which is derived from what is stored of the event that it corrects. */
function toSegments(placed: readonly PlacedEvent[]): PlacedEvent[][] {
  const segments: PlacedEvent[][] = [];
  let wasCorrection = true;
  for (const event of placed) {
    const isCorrection = event.prepared.event.corrects_event_id !== undefined;
    if (isCorrection || wasCorrection) segments.push([event]);
    else segments.at(-1)?.push(event);
    wasCorrection = isCorrection;
  }
  return segments;
}

function toRow(
  tenantId: TenantId,
  { prepared, decision, chainHash, signedDigest }: PlacedEvent,
  placement: Placement | undefined,
) {
  const { event, body, timestampMs, eventHash } = prepared;
  return {
    tenant_id: tenantId,
    position: decision.position,
    event_id: event.event_id,
    received_at: decision.receivedAtMs,
    timestamp: timestampMs,
    device_id: event.device_id,
    threat_category: event.threat_category,
    severity: event.severity,
    threat_id: placement?.threatId ?? null,
    alert_id: placement?.alertId ?? null,
    corrects_event_id: event.corrects_event_id ?? null,
    device_chain: decision.deviceChain,
    event_hash: eventHash,
    chain_hash: chainHash,
    signed_digest: signedDigest,
    body,
  };
}
