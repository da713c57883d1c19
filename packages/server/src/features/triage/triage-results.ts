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

export interface Campaign {
  readonly incidentId: string;
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
  readonly severity: Severity;
  readonly devices: number;
  /** Whether it is about an indicator of the case, or only of what the same devices saw beside it. */
  readonly sharesIndicator: boolean;
}

export interface Correlation {
  readonly campaigns: readonly Campaign[];
  /** Null without any warning or block. */
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
  /** Devices of the case that warned or blocked, then others that have seen the same indicators. */
  readonly devices: number;
  readonly otherDevices: number;
  readonly platforms: readonly Platform[];
  /** Warnings and blocks that count, in the case and related ones before it. */
  readonly harmful: number;
  readonly related: number;
  readonly perHour: number;
  /** Most of them within a quarter of an hour. */
  readonly burst: number;
}

export interface ClassificationBasis {
  readonly file: CaseFile;
  readonly evidence: Evidence;
  readonly correlation: Correlation;
}

export type TriageVerdict = 'likely_genuine' | 'unclear' | 'likely_false' | 'technical';

/** Why the score is what it is. */
export interface Reason {
  readonly code: string;
  readonly points: number;
  /** One sentence for an analyst. */
  readonly sentence: string;
  /** What it rests on. */
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
  /** Whether no resolution may be proposed while this stands. */
  readonly holds: boolean;
}

export interface Guardrails {
  readonly result: GuardrailResult;
  readonly checks: readonly GuardrailCheck[];
}

/** All that a draft rests on. */
export interface RecommendationBasis extends ClassificationBasis {
  readonly triageScore: TriageScore;
  readonly guardrails: Guardrails;
}

/** What to do with one incident. */
export interface Proposal {
  readonly incident_id: string;
  readonly category: IncidentCategory;
  readonly now: { readonly status: IncidentStatus; readonly resolution: Resolution | null };
  /** Null leaves it as it is. */
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
