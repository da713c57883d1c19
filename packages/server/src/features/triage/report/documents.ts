import canonicalize from 'canonicalize';
import { toTimestamp } from '../../../platform/time.ts';
import type { Recommendation, RecommendationBasis } from '../triage-results.ts';
import { timelineOf } from './timeline.ts';

/** Largest artifact. */
export const MAX_BYTES = 256 * 1024;
/** What a list is cut to, one after the other, until the document fits. */
const LENGTHS = [500, 250, 100, 50, 20, 5];
/** Of use to triage alone. */
const INTERNAL = new Set([
  'keys',
  'historyKeys',
  'position',
  'redactedRefs',
  'foreignRefs',
  'correlationKey',
]);

export function timelineDocument(basis: RecommendationBasis): string {
  return fit({ moments: timelineOf(basis) });
}

export function evidenceDocument({ file, evidence, correlation, guardrails }: RecommendationBasis): string {
  return fit({ case: file, related: evidence, correlation, guardrails });
}

export function recommendationDocument(recommendation: Recommendation, basis: RecommendationBasis): string {
  const { triageScore, guardrails } = basis;
  return fit({
    ...recommendation,
    reasons: triageScore.reasons,
    guardrail: guardrails.result,
    checks: guardrails.checks,
  });
}

/** Writes RFC 8785 text. What is too long is cut to its newest entries, and `cut_to` says so. */
function fit(document: object): string {
  for (const length of [Number.MAX_SAFE_INTEGER, ...LENGTHS]) {
    const shown = toPublished(document, length) as object;
    const whole = length > MAX_BYTES ? shown : { ...shown, cut_to: length };
    // As long as its canonical form and written ten times as fast: most lengths of a large case do not fit.
    if (Buffer.byteLength(JSON.stringify(whole)) <= MAX_BYTES) return canonicalize(whole) ?? '';
  }
  return canonicalize({ cut_to: 0 }) ?? '';
}

/** Says it as the contract does: snake_case, times as RFC 3339. */
function toPublished(value: unknown, longest: number): unknown {
  if (Array.isArray(value)) return value.slice(-longest).map((item) => toPublished(item, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !INTERNAL.has(key))
      .map(([key, member]) =>
        key.endsWith('Ms')
          ? [snake(key.slice(0, -2)), typeof member === 'number' ? toTimestamp(member) : null]
          : [snake(key), toPublished(member, longest)],
      ),
  );
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
