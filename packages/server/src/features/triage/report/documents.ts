import { toCanonicalJson } from '../../../platform/canonical-json.ts';
import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import { toTimestamp } from '../../../platform/time.ts';
import type { Recommendation, RecommendationBasis } from '../triage-results.ts';
import { timelineOf } from './timeline.ts';

/** Maximum size of an artifact. */
export const MAX_BYTES = 256 * 1024;
/** Limits on the length of every list, tried one after the other until the document fits. */
const LENGTHS = [500, 250, 100, 50, 20, 5];
/** Fields that only triage itself uses. */
const INTERNAL = new Set([
  'keys',
  'historyKeys',
  'position',
  'redactedRefs',
  'foreignRefs',
  'correlationKey',
]);

export function* timelineDocument(basis: RecommendationBasis): Steps<string> {
  const moments = timelineOf(basis);
  yield;
  return yield* fit({ moments });
}

export function evidenceDocument({
  file,
  evidence,
  correlation,
  guardrails,
}: RecommendationBasis): Steps<string> {
  return fit({ case: file, related: evidence, correlation, guardrails });
}

export function recommendationDocument(
  recommendation: Recommendation,
  basis: RecommendationBasis,
): Steps<string> {
  const { triageScore, guardrails } = basis;
  return fit({
    ...recommendation,
    reasons: triageScore.reasons,
    guardrail: guardrails.result,
    checks: guardrails.checks,
  });
}

/**
 * Serializes a document as RFC 8785 text, in steps of half an attempt each. Long lists are cut to their newest entries; `cut_to`
 * then names the limit.
 */
function* fit(document: object): Steps<string> {
  for (const length of [Number.MAX_SAFE_INTEGER, ...LENGTHS]) {
    const shown = toPublished(document, length) as object;
    yield;
    const whole = length > MAX_BYTES ? shown : { ...shown, cut_to: length };
    // JSON.stringify has the same length as the canonical form and is faster; most attempts do not fit.
    if (Buffer.byteLength(JSON.stringify(whole)) <= MAX_BYTES) return toCanonicalJson(whole);
    yield;
  }
  return toCanonicalJson({ cut_to: 0 });
}

/** Converts to the format of the API: snake_case names, times as RFC 3339. */
function toPublished(value: unknown, maxItems: number): unknown {
  if (Array.isArray(value)) return value.slice(-maxItems).map((item) => toPublished(item, maxItems));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !INTERNAL.has(key))
      .map(([key, member]) =>
        key.endsWith('Ms')
          ? [snake(key.slice(0, -2)), typeof member === 'number' ? toTimestamp(member) : null]
          : [snake(key), toPublished(member, maxItems)],
      ),
  );
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
