import type {
  Action,
  IncidentCategory,
  IncidentStatus,
  Platform,
  Resolution,
  ThreatCategory,
} from '@tps/contract';
import { AGENT_POLICY_IDS } from '@tps/contract/vocabulary';
import type { DeviceChainState } from '../../feed/index.ts';
import type { Cut } from './case-file.ts';

/** Events of a device in the days before the last event of the case. */
export interface DeviceHistory {
  readonly deviceId: string;
  /** How many of its newest events were read, and whether there are more. */
  readonly looked: number;
  readonly isCut: boolean;
  readonly counts: Readonly<Record<Action, number>>;
  readonly corrections: number;
  readonly chain: Readonly<Partial<Record<DeviceChainState, number>>>;
  /** Events at which its chain is broken, newest first. */
  readonly broken: readonly string[];
  /** Warnings and blocks outside the case with its category or its indicators, newest first. */
  readonly related: readonly RelatedEvidence[];
  readonly relatedCount: number;
}

interface RelatedEvidence {
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
  /** Outcomes there, among the newest events that were read. */
  readonly blocked: number;
  readonly warned: number;
}

export interface PolicyEvidence {
  readonly policyId: string;
  /** Null if the service does not know the policy: the device may be ahead, or it belongs to the agent or to another tenant. */
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
  /** Incidents of this policy that were resolved as false alarms, or as genuine, newest first. */
  readonly falseIncidents: readonly string[];
  readonly trueIncidents: readonly string[];
}

/**
 * Whether it is a policy that the agent brings along. It applies to every category without a policy of the tenant, so
 * neither its absence from the store nor its earlier incidents speak against a case. A policy that the tenant created
 * under such an id is the tenant's.
 */
export function isAgentDefault({ policyId, current }: PolicyEvidence): boolean {
  return current === null && Object.values<string>(AGENT_POLICY_IDS).includes(policyId);
}

interface EarlierIncident {
  readonly incidentId: string;
  readonly deviceId: string;
  readonly category: IncidentCategory;
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
  readonly createdAtMs: number;
}

/** The same indicator was allowed in one event and stopped in another, and neither decision was withdrawn. */
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
  /** False alarms in which several devices saw an indicator of the case and did not withdraw it themselves. */
  readonly sameIndicatorFalse: readonly string[];
  /** Devices on which an indicator is still active that was corrected to allow in the case. */
  readonly withdrawnElsewhere: readonly string[];
  /** Whether some indicators or sightings were left out of the lookup. */
  readonly isLookupCut: boolean;
  readonly contradictions: readonly Contradiction[];
  /** Indicator keys from other events of these devices, which a campaign may share. */
  readonly historyKeys: readonly string[];
  readonly cuts: readonly Cut[];
  readonly redactedRefs: readonly string[];
  readonly foreignRefs: readonly string[];
}
