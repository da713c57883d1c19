import { isWithdrawn, toObservations } from '../case/case-event.ts';
import type { ClassificationBasis } from '../triage-results.ts';
import { count } from '../wording.ts';

/** Where something stands that was corrected to allow in the case. */
export interface Elsewhere {
  readonly what: string;
  readonly refs: readonly string[];
}

/**
 * Finds what speaks for a decision that was taken back: a device can correct its own events, and whoever holds the device
 * can too, but not what others have seen.
 */
export function findElsewhere({ file, evidence, correlation }: ClassificationBasis): Elsewhere[] {
  if (!toObservations(file.events).some(isWithdrawn)) return [];
  const own = new Set(file.incidents.map(({ incidentId }) => incidentId));
  const campaigns = correlation.campaigns.filter(
    ({ incidentId, status, resolution, sharesIndicator }) =>
      sharesIndicator &&
      !own.has(incidentId) &&
      ((status !== 'resolved' && status !== 'closed') || resolution === 'true_positive'),
  );
  const scans = file.scans.filter(({ status, verdict }) => status === 'completed' && verdict !== 'allow');
  const devices = evidence.withdrawnElsewhere;
  return [
    ...(devices.length > 0 ? [{ what: count(devices.length, 'device'), refs: devices }] : []),
    ...(campaigns.length > 0
      ? [{ what: count(campaigns.length, 'campaign'), refs: campaigns.map(({ incidentId }) => incidentId) }]
      : []),
    ...(scans.length > 0
      ? [{ what: count(scans.length, 'scan'), refs: scans.map(({ scanId }) => scanId) }]
      : []),
    ...(evidence.isLookupCut ? [{ what: 'perhaps more: not all could be looked up', refs: [] }] : []),
  ];
}

export function standsElsewhere(basis: ClassificationBasis): boolean {
  return findElsewhere(basis).length > 0;
}
