import type { EventContext } from '@tps/contract';
import { REDACTION_MARKS } from '@tps/contract/vocabulary';

const IN_BRACKETS = Object.keys(REDACTION_MARKS).map((mark) => mark.slice(1, -1));
/** The marks that redaction leaves, on a device or at the service: docs/redaction.md. */
const MARKS = new RegExp(`\\[(?:${IN_BRACKETS.join('|')})\\]|url:sha256:(?=[0-9a-f]{64})`, 'g');

/** Counts the marks of redaction in the stored text of an event. */
export function countMarks(body: string): EventContext['redaction'] {
  const counts = new Map<string, number>();
  for (const [mark] of body.matchAll(MARKS)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return [...counts].map(([mark, count]) => ({ mark, count }));
}
