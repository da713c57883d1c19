import type { Alert, Event, Incident, Threat } from '@tps/client';
import { type Action, THREAT_CATEGORIES, type ThreatCategory } from '@tps/contract';
import type { EventAnswer } from '@tps/simulator';

/** What the demo has sent and read back so far. */
export interface Progress {
  /** How many events are to be sent. */
  readonly planned: number;
  readonly answers: EventAnswer[];
  accepted: number;
  /** Events that were sent again and already stored. */
  known: number;
  /** Refusals by error code. */
  readonly refused: Map<string, number>;
  /** Accepted events by category and action. */
  readonly byCategory: Map<ThreatCategory, Record<Action, number>>;
  /** Events as integrators read them. */
  readonly feed: Event[];
  /** As they were when first read, newest last. */
  readonly alerts: Map<string, Alert>;
  readonly threats: Map<string, Threat>;
  readonly incidents: Map<string, Incident>;
}

export function startProgress(planned: number): Progress {
  return {
    planned,
    answers: [],
    accepted: 0,
    known: 0,
    refused: new Map(),
    byCategory: new Map(THREAT_CATEGORIES.map((name) => [name, { allow: 0, warn: 0, block: 0 }])),
    feed: [],
    alerts: new Map(),
    threats: new Map(),
    incidents: new Map(),
  };
}

export function noteAnswer(progress: Progress, answer: EventAnswer): void {
  const { event, status, code = String(status) } = answer;
  progress.answers.push(answer);
  if (status === 201) {
    progress.accepted += 1;
    const actions = progress.byCategory.get(event.threat_category);
    if (actions) actions[event.action_taken] += 1;
  } else if (status === 200) progress.known += 1;
  else progress.refused.set(code, (progress.refused.get(code) ?? 0) + 1);
}

export function countRefused({ refused }: Progress): number {
  return [...refused.values()].reduce((sum, times) => sum + times, 0);
}
