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

/** The parts of an event that triage uses. Its texts are redacted, on one line and cut. */
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
  /** The first few in displayable form; `keys` has all. */
  readonly indicators: readonly string[];
  readonly keys: readonly string[];
  readonly chain: DeviceChainState;
  readonly alertId: string | null;
  readonly threatId: string | null;
  /** Root event that this one corrects. */
  readonly corrects: string | null;
  readonly correctionReason: string | null;
}

/** The state of an incident when it was triaged. An approval is valid only for this state. */
export interface IncidentBasis {
  readonly incident_id: string;
  readonly status: IncidentStatus;
  readonly last_event_at: string;
  /** Number of changes by events: increases when an event joins or is corrected, but not when people change the incident. */
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

interface CaseAlert {
  readonly alertId: string;
  readonly incidentId: string | null;
  readonly threatId: string;
  readonly deviceId: string;
}

interface CaseThreat {
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
  /** Known threats that its findings name; null if a finding names none, and the scan is therefore independent evidence. */
  readonly knownThreatIds: readonly string[] | null;
}

/** A limit that was reached: only `kept` of at least `of` items were read. */
export interface Cut {
  readonly what: string;
  readonly kept: number;
  readonly of: number;
  /** Whether only texts are missing, and nothing that is scored. */
  readonly isDetail?: boolean;
}

/** The subject of the job. Every list is sorted, so that the order in which a store returns rows does not matter. */
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
  /** Ids of records with personal data that should have been redacted before it was stored. */
  readonly redactedRefs: readonly string[];
  /** Events that name another tenant. */
  readonly foreignRefs: readonly string[];
}

/** Maximum number of members of each kind in a case. */
export const MAX_MEMBERS = 500;
