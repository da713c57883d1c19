import type {
  Action,
  IncidentCategory,
  IncidentStatus,
  Platform,
  Resolution,
  ThreatCategory,
} from '@tps/contract';
import type { DeviceChainState } from '../../feed/index.ts';
import type { Cut } from './case-file.ts';

/** What a device did in the days before the case's last event. */
export interface DeviceHistory {
  readonly deviceId: string;
  /** How many of its events were looked at, the newest; whether there are more. */
  readonly looked: number;
  readonly isCut: boolean;
  readonly counts: Readonly<Record<Action, number>>;
  readonly corrections: number;
  readonly chain: Readonly<Partial<Record<DeviceChainState, number>>>;
  /** Events at which its chain is broken, newest first. */
  readonly broken: readonly string[];
  /** Warnings and blocks that are not of the case but of its category or with its indicators, newest first. */
  readonly related: readonly RelatedEvidence[];
  readonly relatedCount: number;
}

export interface RelatedEvidence {
  readonly eventId: string;
  readonly atMs: number;
  readonly action: Action;
  readonly category: ThreatCategory;
  readonly sharesIndicator: boolean;
}

/** Another device of the tenant that had seen an indicator of the case by its end. */
export interface OtherDevice {
  readonly deviceId: string;
  readonly platform: Platform | null;
  readonly indicators: number;
  readonly lastSeenAtMs: number;
  readonly threatIds: readonly string[];
  /** What became of it there, of the newest events that were looked at. */
  readonly blocked: number;
  readonly warned: number;
}

export interface PolicyEvidence {
  readonly policyId: string;
  /** Null when the service does not know the policy: the device may be ahead, or the policy is another tenant's. */
  readonly current: {
    readonly name: string;
    readonly version: number;
    readonly action: Action;
    readonly threshold: number | null;
    readonly isEnabled: boolean;
    readonly isArchived: boolean;
    readonly updatedAtMs: number;
  } | null;
  readonly events: number;
  /** Incidents that this policy raised and that turned out to be false alarms, or true, newest first. */
  readonly falseIncidents: readonly string[];
  readonly trueIncidents: readonly string[];
}

export interface EarlierIncident {
  readonly incidentId: string;
  readonly deviceId: string;
  readonly category: IncidentCategory;
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
  readonly createdAtMs: number;
}

/** The same indicator was let through once and stopped another time, and nobody has taken either back. */
export interface Contradiction {
  readonly allowId: string;
  readonly harmfulId: string;
}

export interface Evidence {
  readonly histories: readonly DeviceHistory[];
  readonly others: readonly OtherDevice[];
  readonly otherCount: number;
  readonly policies: readonly PolicyEvidence[];
  readonly earlier: readonly EarlierIncident[];
  /** False alarms in which several devices saw an indicator of the case and did not take it back themselves. */
  readonly sameIndicatorFalse: readonly string[];
  /** Devices on which an indicator stands that was corrected to allow in the case; empty without one. */
  readonly withdrawnElsewhere: readonly string[];
  /** Whether indicators or places they were seen at are missing from what was looked up. */
  readonly isLookupCut: boolean;
  readonly contradictions: readonly Contradiction[];
  /** Keys of what these devices saw beside the case: a campaign may share those. */
  readonly historyKeys: readonly string[];
  readonly cuts: readonly Cut[];
  readonly redactedRefs: readonly string[];
  readonly foreignRefs: readonly string[];
}
