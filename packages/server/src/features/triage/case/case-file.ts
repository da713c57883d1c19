import type {
  Action,
  DeviceStatus,
  IncidentCategory,
  IncidentStatus,
  Platform,
  Resolution,
  Severity,
  ThreatCategory,
  ThreatStatus,
} from '@tps/contract';
import type { DeviceChainState } from '../../feed/index.ts';

/** An event as far as triage looks at it. Its texts are redacted, on one line and cut. */
export interface CaseEvent {
  readonly eventId: string;
  readonly position: number;
  /** When the device decided. */
  readonly atMs: number;
  readonly receivedAtMs: number;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly confidence: number;
  readonly action: Action;
  readonly policyId: string;
  readonly severity: Severity;
  readonly description: string | null;
  /** The first few, as far as they can be shown; `keys` names all. */
  readonly indicators: readonly string[];
  readonly keys: readonly string[];
  readonly chain: DeviceChainState;
  readonly alertId: string | null;
  readonly threatId: string | null;
  /** Root event that this one corrects. */
  readonly corrects: string | null;
  readonly correctionReason: string | null;
}

/** How an incident stood when it was looked at: an approval is good for this and nothing later. */
export interface IncidentBasis {
  readonly incident_id: string;
  readonly status: IncidentStatus;
  readonly last_event_at: string;
  /** Counts what events have done to the incident: rises with each that joined or was corrected, not with people's changes. */
  readonly revision: number;
}

export interface CaseIncident {
  readonly incidentId: string;
  readonly category: IncidentCategory;
  readonly severity: Severity;
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
  readonly message: string;
  readonly correlationKey: string;
  readonly createdAtMs: number;
  readonly lastEventAtMs: number;
  readonly revision: number;
  readonly deviceIds: readonly string[];
  readonly threatIds: readonly string[];
}

export interface CaseAlert {
  readonly alertId: string;
  readonly incidentId: string | null;
  readonly threatId: string;
  readonly deviceId: string;
}

export interface CaseThreat {
  readonly threatId: string;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly confidence: number;
  readonly severity: Severity;
  readonly status: ThreatStatus;
  readonly detectedAtMs: number;
  readonly lastSeenAtMs: number;
  readonly eventCount: number;
}

export interface CaseDevice {
  readonly deviceId: string;
  readonly name: string | null;
  readonly platform: Platform;
  readonly status: DeviceStatus;
  readonly agentVersion: string | null;
  readonly revokedAtMs: number | null;
}

export interface CaseScan {
  readonly scanId: string;
  readonly status: string;
  readonly verdict: Action;
  readonly threatType: string;
  readonly category: ThreatCategory | null;
  readonly confidence: number;
  readonly details: string;
  readonly scannedAtMs: number;
  /** Known threats that its findings name; null when one of them names none: then it knows something of its own. */
  readonly knownThreatIds: readonly string[] | null;
}

/** Says that only a part was looked at. `of` is what there is, at least. */
export interface Cut {
  readonly what: string;
  readonly kept: number;
  readonly of: number;
  /** Whether only words are missing, and nothing that is weighed. */
  readonly isDetail?: boolean;
}

/** What the job is about. Every list is sorted, so that it does not matter in which order a store gives its rows. */
export interface CaseFile {
  readonly inputRefs: readonly string[];
  readonly incidents: readonly CaseIncident[];
  readonly alerts: readonly CaseAlert[];
  readonly threats: readonly CaseThreat[];
  /** Oldest first. */
  readonly events: readonly CaseEvent[];
  readonly devices: readonly CaseDevice[];
  readonly scans: readonly CaseScan[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly cuts: readonly Cut[];
  /** Where personal data stood that should have been redacted before it was stored. */
  readonly redactedRefs: readonly string[];
  /** Events that say they are another tenant's. */
  readonly foreignRefs: readonly string[];
}

/** Most members of each kind that a case keeps. */
export const MAX_MEMBERS = 500;
