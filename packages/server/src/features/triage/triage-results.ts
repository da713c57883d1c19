import type {
  GuardrailResult,
  IncidentCategory,
  IncidentStatus,
  Platform,
  Resolution,
  Severity,
} from '@tps/contract';
import type { CaseFile, IncidentBasis } from './case/case-file.ts';
import type { Evidence } from './case/evidence.ts';

interface Campaign {
  readonly incidentId: string;
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
  readonly severity: Severity;
  readonly devices: number;
  /** Whether its indicator belongs to the case, rather than to other events of the same devices. */
  readonly sharesIndicator: boolean;
}

export interface Correlation {
  readonly campaigns: readonly Campaign[];
  /** Null without any warning or block. */
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
  /** Devices of the case that warned or blocked; then other devices with the same indicators. */
  readonly devices: number;
  readonly otherDevices: number;
  readonly platforms: readonly Platform[];
  /** Current warnings and blocks of the case; then related ones before it. */
  readonly harmful: number;
  readonly related: number;
  readonly perHour: number;
  /** The highest number of them within 15 minutes. */
  readonly burst: number;
}

export interface ClassificationBasis {
  readonly file: CaseFile;
  readonly evidence: Evidence;
  readonly correlation: Correlation;
}

export type TriageVerdict = 'likely_genuine' | 'unclear' | 'likely_false' | 'technical';

/** One part of the score, with its explanation. */
export interface Reason {
  readonly code: string;
  readonly points: number;
  /** One sentence for an analyst. */
  readonly sentence: string;
  /** Ids of the evidence. */
  readonly refs: readonly string[];
}

export interface TriageScore {
  readonly verdict: TriageVerdict;
  /** From 0 to 100: the sum of the reasons' points. */
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface GuardrailCheck {
  readonly code: string;
  readonly result: GuardrailResult;
  /** One sentence for an analyst. */
  readonly sentence: string;
  readonly refs: readonly string[];
  /** Whether the check prevents the proposal of a resolution. */
  readonly holds: boolean;
}

export interface Guardrails {
  readonly result: GuardrailResult;
  readonly checks: readonly GuardrailCheck[];
}

/** Everything that a recommendation is drafted from. */
export interface RecommendationBasis extends ClassificationBasis {
  readonly triageScore: TriageScore;
  readonly guardrails: Guardrails;
}

/** The proposed change to one incident. */
export interface Proposal {
  readonly incident_id: string;
  readonly category: IncidentCategory;
  readonly now: { readonly status: IncidentStatus; readonly resolution: Resolution | null };
  /** Null proposes no change. */
  readonly change: { readonly status: IncidentStatus; readonly resolution?: Resolution } | null;
  readonly why: string;
  readonly basis: IncidentBasis;
}

/** A step for a person. */
export interface NextAction {
  readonly order: number;
  readonly who: 'analyst' | 'affected person' | 'administrator';
  readonly what: string;
}

export interface Recommendation {
  readonly verdict: TriageVerdict;
  readonly score: number;
  readonly proposals: readonly Proposal[];
  readonly actions: readonly NextAction[];
  readonly questions: readonly string[];
  readonly evidence_ids: readonly string[];
  readonly guidance_ids: readonly string[];
  readonly method: string;
}
