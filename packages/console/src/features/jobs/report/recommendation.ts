import type { Artifact } from '@tps/client';

/** The parts of a recommendation that are shown. Its document belongs to the workflow, so every part may be missing. */
export interface Recommendation {
  readonly verdict: string | undefined;
  /** From 0 to 100. */
  readonly score: number | undefined;
  readonly proposals: readonly Proposal[];
  readonly reasons: readonly Reason[];
  readonly checks: readonly Check[];
  readonly actions: readonly string[];
  readonly questions: readonly string[];
}

export interface Proposal {
  readonly incidentId: string;
  readonly now: string;
  /** Undefined proposes no change. */
  readonly change: string | undefined;
  readonly why: string;
}

export interface Reason {
  readonly points: number;
  readonly sentence: string;
}

export interface Check {
  readonly result: string;
  readonly sentence: string;
}

/** An entry of a timeline. Its document belongs to the workflow, so every part may be missing. */
export type Moment = {
  readonly [Part in 'at' | 'id' | 'sentence' | 'said']: string | undefined;
};

/** Finds what the last run of a job has published, by its kind. */
export function artifactOf(artifacts: readonly Artifact[], kind: Artifact['kind'], traceId: string) {
  const ofKind = artifacts.filter((artifact) => artifact.kind === kind);
  return ofKind.find((artifact) => artifact.trace_id === traceId) ?? ofKind[0];
}

export function readRecommendation(content: string): Recommendation {
  const document = parse(content);
  return {
    verdict: textOf(document.verdict),
    score: typeof document.score === 'number' ? document.score : undefined,
    proposals: objectsOf(document.proposals).map((proposal) => ({
      incidentId: textOf(proposal.incident_id) ?? '',
      now: stateOf(objectOf(proposal.now)),
      change: proposal.change === null ? undefined : stateOf(objectOf(proposal.change)),
      why: textOf(proposal.why) ?? '',
    })),
    reasons: objectsOf(document.reasons).map((reason) => ({
      points: typeof reason.points === 'number' ? reason.points : 0,
      sentence: textOf(reason.sentence) ?? '',
    })),
    checks: objectsOf(document.checks).map((check) => ({
      result: textOf(check.result) ?? '',
      sentence: textOf(check.sentence) ?? '',
    })),
    actions: objectsOf(document.actions).map(
      (action) => `${textOf(action.who) ?? ''}: ${textOf(action.what) ?? ''}`,
    ),
    questions: Array.isArray(document.questions) ? document.questions.map(String) : [],
  };
}

export function readMoments(content: string): Moment[] {
  return objectsOf(parse(content).moments).map((moment) => ({
    at: textOf(moment.at),
    id: textOf(moment.id),
    sentence: textOf(moment.sentence),
    said: textOf(moment.said),
  }));
}

type Json = Readonly<Record<string, unknown>>;

function parse(content: string): Json {
  try {
    return objectOf(JSON.parse(content));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `resolved as true_positive` */
function stateOf({ status, resolution }: Json): string {
  return [textOf(status), textOf(resolution)].filter((part) => part !== undefined).join(' as ');
}
