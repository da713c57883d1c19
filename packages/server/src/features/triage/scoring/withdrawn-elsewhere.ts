import { isWithdrawn, toObservations } from '../case/case-event.ts';
import type { ClassificationBasis } from '../triage-results.ts';
import { count } from '../wording.ts';

/** Other evidence for something that was corrected to allow in the case. */
export interface OtherEvidence {
  readonly what: string;
  readonly refs: readonly string[];
}

/**
 * Finds other evidence for decisions that were corrected to allow. A device, and anyone who holds it, can correct its own
 * events, but not the observations of others.
 */
export function findEvidenceElsewhere({ file, evidence, correlation }: ClassificationBasis): OtherEvidence[] {
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
    ...(evidence.isLookupCut
      ? [{ what: 'possibly more, because not all indicators could be looked up', refs: [] }]
      : []),
  ];
}

export function hasEvidenceElsewhere(basis: ClassificationBasis): boolean {
  return findEvidenceElsewhere(basis).length > 0;
}
