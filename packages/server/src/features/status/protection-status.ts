import type { ProtectionStatus } from '@tps/contract';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';

/** The facts from which the status of a tenant is derived. */
export interface ProtectionFacts {
  readonly devices: ProtectionStatus['devices'];
  readonly activeThreats: number;
  readonly openAlerts: number;
  readonly incidents: ProtectionStatus['incidents'];
  /** Active threats of severity high or critical. */
  readonly highSeverityThreats: number;
  /** Unresolved incidents of severity high or critical. */
  readonly highSeverityIncidents: number;
  readonly lastEventAtMs: number | null;
  readonly eventsLast24h: number;
  readonly webhooks: Omit<ProtectionStatus['webhooks'], 'persistence'>;
  /** Webhooks that were disabled because no process can read their secret. */
  readonly lostSecrets: number;
  /** Active webhooks whose dead letters wait until the receiver responds again. */
  readonly silentReceivers: number;
}

/** The state of webhook delivery. */
export interface PushStatus {
  readonly secrets: { readonly persistence: ProtectionStatus['webhooks']['persistence'] };
  readonly dispatcher: { isRunning(): boolean };
}

/** The state of the job worker. */
export interface WorkflowStatus {
  isRunning(): boolean;
}

/** The state of the scanner. */
export interface ScanStatus {
  isUp(): boolean;
}

/**
 * Derives the status from the facts: the most severe one applies. Everything that prevents `protected` is listed as
 * a reason.
 */
export function toProtectionStatus(
  facts: ProtectionFacts,
  service: {
    tenantId: string;
    nowMs: number;
    version: string;
    push: PushStatus;
    worker: WorkflowStatus;
    analyzer: ScanStatus;
  },
): ProtectionStatus {
  const { devices, highSeverityThreats, highSeverityIncidents } = facts;
  const { tenantId, nowMs, version, push, worker, analyzer } = service;
  const risks = [
    ...(highSeverityThreats > 0
      ? [`${count(highSeverityThreats, 'active threat')} of severity high or critical`]
      : []),
    ...(highSeverityIncidents > 0
      ? [`${count(highSeverityIncidents, 'unresolved incident')} of severity high or critical`]
      : []),
  ];
  const isUnprotected = devices.active === 0;
  const { persistence } = push.secrets;
  const isDispatching = push.dispatcher.isRunning();
  const isWorking = worker.isRunning();
  const isScanning = analyzer.isUp();
  const faults = [
    ...(isDispatching ? [] : ['Webhook delivery is not running']),
    ...(isWorking ? [] : ['Triage jobs are not running']),
    ...(isScanning
      ? []
      : ['Scans match indicators but do not classify texts and links: the models could not be loaded']),
    ...(facts.lostSecrets > 0
      ? [`${count(facts.lostSecrets, 'webhook')} disabled: the secret is lost and must be replaced`]
      : []),
    ...(facts.silentReceivers > 0
      ? [`${count(facts.silentReceivers, 'webhook')} without response: dead letters wait until it is back`]
      : []),
    // Without a webhook, nothing can be lost.
    ...(persistence === 'memory' && facts.webhooks.registered > 0
      ? ['Webhooks are in memory only: they are lost when the service stops']
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
    // This response was read from the store, so the store is up.
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
