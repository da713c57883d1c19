import type { ProtectionStatus } from '@tps/contract';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';

/** What the status of a tenant rests on. */
export interface ProtectionFacts {
  readonly devices: ProtectionStatus['devices'];
  readonly activeThreats: number;
  readonly openAlerts: number;
  readonly incidents: ProtectionStatus['incidents'];
  /** Active threats of severity high or critical. */
  readonly graveThreats: number;
  /** Unresolved incidents of severity high or critical. */
  readonly graveIncidents: number;
  readonly lastEventAtMs: number | null;
  readonly eventsLast24h: number;
}

/** Judges the facts. The worst that holds is the status; all that keeps it from `protected` is given as a reason. */
export function toProtectionStatus(
  facts: ProtectionFacts,
  { tenantId, nowMs, version }: { tenantId: string; nowMs: number; version: string },
): ProtectionStatus {
  const { devices, graveThreats, graveIncidents } = facts;
  const risks = [
    ...(graveThreats > 0 ? [`${count(graveThreats, 'active threat')} of severity high or critical`] : []),
    ...(graveIncidents > 0
      ? [`${count(graveIncidents, 'unresolved incident')} of severity high or critical`]
      : []),
  ];
  const isUnprotected = devices.active === 0;
  const reasons = [...(isUnprotected ? ['No device is active'] : []), ...risks];
  return {
    status: isUnprotected ? 'unprotected' : risks.length > 0 ? 'at_risk' : 'protected',
    reasons,
    tenant_id: tenantId,
    generated_at: toTimestamp(nowMs),
    devices,
    threats: { active: facts.activeThreats },
    alerts: { open: facts.openAlerts },
    incidents: facts.incidents,
    events: { last_event_at: toOptionalTimestamp(facts.lastEventAtMs), last_24h: facts.eventsLast24h },
    // Whoever reads this got it through the store.
    components: { store: 'up' },
    version,
  };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
