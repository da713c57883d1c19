import { type Action, THREAT_CATEGORIES, type ThreatCategory } from '@tps/contract';
import type { Outcome } from './wire.ts';

/** What the fleet was answered so far. */
export interface Progress {
  readonly planned: number;
  readonly outcomes: Outcome[];
  stored: number;
  known: number;
  readonly refused: Map<string, number>;
  /** Stored events by category and action. */
  readonly byCategory: Map<ThreatCategory, Record<Action, number>>;
}

export function startProgress(planned: number): Progress {
  const byCategory = new Map(THREAT_CATEGORIES.map((name) => [name, { allow: 0, warn: 0, block: 0 }]));
  return { planned, outcomes: [], stored: 0, known: 0, refused: new Map(), byCategory };
}

export function noteOutcome(progress: Progress, outcome: Outcome): void {
  const { event, status, code } = outcome;
  progress.outcomes.push(outcome);
  if (status === 201) {
    progress.stored += 1;
    const actions = progress.byCategory.get(event.threat_category);
    if (actions) actions[event.action_taken] += 1;
  } else if (status === 200) {
    progress.known += 1;
  } else {
    const name = code ?? String(status);
    progress.refused.set(name, (progress.refused.get(name) ?? 0) + 1);
  }
}

export function refusedCount({ refused }: Progress): number {
  return [...refused.values()].reduce((sum, times) => sum + times, 0);
}
