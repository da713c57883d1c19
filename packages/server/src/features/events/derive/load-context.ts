import { type Queries, together } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type AlertRecord, alertStore, isAlerting, mergeKeyOf } from '../../alerts/index.ts';
import { eventStore, type FeedEvent } from '../../feed/index.ts';
import { canJoinIncident, type IncidentRecord, incidentStore } from '../../incidents/index.ts';
import { type Sighting, threatStore } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import type { CorrectionContext, DerivationContext } from './derivation-state.ts';

const EMPTY: DerivationContext = { threats: [], sightings: [], alerts: [], incidents: [] };

/** Reads everything that deriving these events may need, in six reads for any number of events. */
export async function loadContext(
  tx: Queries,
  tenantId: TenantId,
  { events, settings }: { events: readonly FeedEvent[]; settings: DerivationSettings },
): Promise<DerivationContext> {
  const harmful = events.filter((event) => event.action !== 'allow');
  const relevant = events.filter(({ action, deviceChain }) => action !== 'allow' || isBroken(deviceChain));
  if (relevant.length === 0) return EMPTY;

  const deviceIds = [...new Set(relevant.map((event) => event.deviceId))];
  const keys = [...new Set(harmful.flatMap((event) => event.correlationKeys))];
  const times = relevant.map((event) => event.decidedAtMs);
  const span = { fromMs: Math.min(...times), toMs: Math.max(...times) };

  const findIncidents = incidentStore.findAbout(tx, tenantId, {
    correlationKeys: [...deviceIds, ...keys],
    fromMs: span.fromMs - Math.max(settings.incidentGapMs, settings.campaignMs),
  });
  if (harmful.length === 0) return { ...EMPTY, incidents: await findIncidents };

  const [incidents, alerts, own] = await together(
    findIncidents,
    alertStore.findOpen(tx, tenantId, {
      mergeKeys: [...new Set(harmful.filter(isAlerting).flatMap((event) => mergeKeyOf(event) ?? []))],
      fromMs: span.fromMs - settings.alertMergeMs,
      toMs: span.toMs + settings.alertMergeMs,
    }),
    threatStore.findSightings(tx, tenantId, { keys, deviceIds }),
  );
  const ownThreatIds = threatIdsOf(own);
  const [shared, ownThreats] = await together(
    threatStore.findSightingsBetween(tx, tenantId, {
      keys: keysWithoutCampaign(harmful, { incidents, campaignMs: settings.campaignMs }),
      fromMs: span.fromMs - settings.campaignMs,
      toMs: span.toMs + settings.campaignMs,
    }),
    threatStore.findMany(tx, tenantId, [...ownThreatIds]),
  );
  const otherIds = [...threatIdsOf(shared)].filter((threatId) => !ownThreatIds.has(threatId));
  const others = await threatStore.findMany(tx, tenantId, otherIds);
  return { threats: [...ownThreats, ...others], sightings: [...own, ...shared], alerts, incidents };
}

function threatIdsOf(sightings: readonly Sighting[]): Set<string> {
  return new Set(sightings.map(({ threatId }) => threatId));
}

/** Reads what a correction replaces: the event that counts for this root now, and what it belongs to. */
export async function loadCorrected(
  tx: Queries,
  tenantId: TenantId,
  { rootId, correction }: { rootId: string; correction: FeedEvent },
): Promise<CorrectionContext> {
  const effective = await eventStore.findEffective(tx, tenantId, rootId);
  if (!effective) throw new Error('a correction was accepted but its root event is missing');
  const { event, threatId, alertId } = effective;
  const isOther = (other: FeedEvent) => other.eventId !== event.eventId;

  const threat = threatId === null ? undefined : await threatStore.find(tx, tenantId, threatId);
  const ofThreat = threat ? await eventStore.listEffectiveOfThreat(tx, tenantId, threat.threatId) : [];
  const alert = alertId === null ? undefined : await alertStore.find(tx, tenantId, alertId);
  const ofAlert = alert ? await eventStore.listEffectiveOfAlert(tx, tenantId, alert) : [];
  const last = alert ?? (await findLastAlert(tx, tenantId, rootId));
  const incidentId = last?.incidentId ?? null;
  const incident = incidentId === null ? undefined : await incidentStore.find(tx, tenantId, incidentId);
  const mayEnd = alert !== undefined && incident !== undefined && correction.action === 'allow';
  return {
    effective: event,
    threat,
    othersOfThreat: ofThreat.filter(isOther),
    alert,
    othersOfAlert: ofAlert.filter(isOther),
    incident,
    isHandled:
      incident !== undefined && (await incidentStore.isChangedByPerson(tx, tenantId, incident.incidentId)),
    hasOtherSevereAlert:
      mayEnd && (await alertStore.hasOtherSevere(tx, tenantId, { ...incident, alertId: alert.alertId })),
  };
}

async function findLastAlert(
  tx: Queries,
  tenantId: TenantId,
  rootId: string,
): Promise<AlertRecord | undefined> {
  const alertId = await eventStore.findLastAlertId(tx, tenantId, rootId);
  return alertId === null ? undefined : alertStore.find(tx, tenantId, alertId);
}

/**
 * Lists the indicators whose devices must still be counted. While a campaign is active, there may be very many
 * devices, and the count does not matter. A campaign counts as active for an event only if it still does after all
 * other events have moved it forward.
 */
function keysWithoutCampaign(
  events: readonly FeedEvent[],
  { incidents, campaignMs }: { incidents: readonly IncidentRecord[]; campaignMs: number },
): string[] {
  const campaigns = incidents.filter((incident) => incident.category === 'campaign');
  const latestMs = Math.max(...events.map((event) => event.decidedAtMs));
  const isInCampaign = (key: string, event: FeedEvent) =>
    campaigns.some((campaign) => {
      const moved = { ...campaign, lastEventAtMs: Math.max(campaign.lastEventAtMs, latestMs) };
      return (
        campaign.correlationKey === key &&
        canJoinIncident(campaign, event, campaignMs) &&
        canJoinIncident(moved, event, campaignMs)
      );
    });
  const keys = events
    .filter((event) => event.indicators.length > 0)
    .flatMap((event) => event.correlationKeys.filter((key) => !isInCampaign(key, event)));
  return [...new Set(keys)];
}

function isBroken(state: FeedEvent['deviceChain']): boolean {
  return state === 'gap' || state === 'fork';
}
