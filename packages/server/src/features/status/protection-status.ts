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
  readonly webhooks: Omit<ProtectionStatus['webhooks'], 'persistence'>;
}

/** How the service itself fares that pushes events to webhooks. */
export interface PushStatus {
  readonly secrets: { readonly persistence: ProtectionStatus['webhooks']['persistence'] };
  readonly dispatcher: { isRunning(): boolean };
}

/** What works on jobs. */
export interface WorkflowStatus {
  isRunning(): boolean;
}

/** What judges content. */
export interface ScanStatus {
  isUp(): boolean;
}

/** Judges the facts. The worst that holds is the status; all that keeps it from `protected` is given as a reason. */
export function toProtectionStatus(
  facts: ProtectionFacts,
  service: {
    tenantId: string;
    nowMs: number;
    version: string;
    push: PushStatus;
    worker: WorkflowStatus;
    examiner: ScanStatus;
  },
): ProtectionStatus {
  const { devices, graveThreats, graveIncidents } = facts;
  const { tenantId, nowMs, version, push, worker, examiner } = service;
  const risks = [
    ...(graveThreats > 0 ? [`${count(graveThreats, 'active threat')} of severity high or critical`] : []),
    ...(graveIncidents > 0
      ? [`${count(graveIncidents, 'unresolved incident')} of severity high or critical`]
      : []),
  ];
  const isUnprotected = devices.active === 0;
  const { persistence } = push.secrets;
  const isDispatching = push.dispatcher.isRunning();
  const isWorking = worker.isRunning();
  const isScanning = examiner.isUp();
  const faults = [
    ...(isDispatching ? [] : ['Webhook delivery is not running']),
    ...(isWorking ? [] : ['Triage jobs are not running']),
    ...(isScanning
      ? []
      : ['Scans look texts and links up but do not judge them: their models could not be loaded']),
    // Without a webhook there is nothing that could be lost.
    ...(persistence === 'memory' && facts.webhooks.registered > 0
      ? ['Webhooks are in memory only: they end with the process of the service']
      : []),
  ];
  const reasons = [...(isUnprotected ? ['No device is active'] : []), ...faults, ...risks];
  return {
    status: isUnprotected ? 'unprotected' : toStatus({ faults, risks }),
    reasons,
    tenant_id: tenantId,
    generated_at: toTimestamp(nowMs),
    devices,
    threats: { active: facts.activeThreats },
    alerts: { open: facts.openAlerts },
    incidents: facts.incidents,
    events: { last_event_at: toOptionalTimestamp(facts.lastEventAtMs), last_24h: facts.eventsLast24h },
    webhooks: { ...facts.webhooks, persistence },
    // Whoever reads this got it through the store.
    components: {
      store: 'up',
      dispatcher: toHealth(isDispatching),
      workflow: toHealth(isWorking),
      scan: toHealth(isScanning),
    },
    version,
  };
}

function toHealth(isRunning: boolean): 'up' | 'down' {
  return isRunning ? 'up' : 'down';
}

function toStatus({ faults, risks }: { faults: string[]; risks: string[] }): ProtectionStatus['status'] {
  if (faults.length > 0) return 'degraded';
  return risks.length > 0 ? 'at_risk' : 'protected';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
