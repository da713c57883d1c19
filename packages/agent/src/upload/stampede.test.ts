import { expect, test } from 'vitest';
import type { Outcome } from '../ports/transport.ts';
import { eventNumber } from '../testing/known-device.ts';
import { backOffMs } from './back-off.ts';
import { judge } from './follow-up.ts';

const AGENTS = 1000;
const SECOND_MS = 1000;
const OUTAGE_MS = 30 * 60_000;
/** What the service takes in a second; everybody else is told to come back later. */
const CAPACITY = 50;
/** Of a thousand agents, whose waits are at most 5 minutes: 3.3 in a second on average. */
const MAX_IN_A_SECOND = 20;

interface Attempt {
  readonly atMs: number;
  readonly failures: number;
}

/** The Park-Miller generator: the same numbers in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Gives how many requests came in each second after the service was back, until every agent had got through. */
function comeBack({ random, refusal }: { random: () => number; refusal: Outcome<never> }): number[] {
  const perSecond: number[] = [];
  const accepted: Outcome<never[]> = { kind: 'answered', status: 200, body: [], serviceTimeMs: undefined };
  // One moment has all of them record and find the service gone.
  let waiting: Attempt[] = Array.from({ length: AGENTS }, () => ({ atMs: 0, failures: 0 }));
  for (let nowMs = 0; waiting.length > 0; nowMs += SECOND_MS) {
    const isDue = ({ atMs }: Attempt) => atMs < nowMs + SECOND_MS;
    const due = waiting.filter(isDue);
    const isAway = nowMs < OUTAGE_MS;
    if (!isAway) perSecond.push(due.length);
    const failed = due.flatMap(({ atMs, failures }, index): Attempt[] => {
      const outcome = isAway || index >= CAPACITY ? refusal : accepted;
      const judgement = judge(outcome, outcome === accepted ? [] : [eventNumber(1)], false);
      if (judgement.kind !== 'retry') return [];
      return [
        { atMs: atMs + backOffMs(failures + 1, judgement.retryAfterMs, random), failures: failures + 1 },
      ];
    });
    waiting = [...waiting.filter((attempt) => !isDue(attempt)), ...failed];
    if (perSecond.length > 3600) break;
  }
  return perSecond;
}

const unreachable: Outcome<never> = { kind: 'unreachable', message: 'No route.' };
const unavailable: Outcome<never> = {
  kind: 'refused',
  status: 503,
  code: 'unavailable',
  message: 'No.',
  retryAfterMs: 30 * SECOND_MS,
  serviceTimeMs: undefined,
};

test.each([
  ['without an answer', unreachable],
  ['with the same Retry-After for all', unavailable],
])('a thousand agents that lost their service at one moment, %s, come back spread out', (_name, refusal) => {
  const perSecond = comeBack({ random: seeded(4711), refusal });
  expect(perSecond.reduce((sum, count) => sum + count)).toBe(AGENTS);
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(MAX_IN_A_SECOND);
  expect(perSecond.length).toBeLessThanOrEqual(6 * 60);
});

test('it is the jitter that spreads them: without it all come at once', () => {
  expect(Math.max(...comeBack({ random: () => 1, refusal: unreachable }))).toBe(AGENTS);
});
