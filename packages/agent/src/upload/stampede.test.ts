import { expect, test } from 'vitest';
import type { TransportOutcome } from '../ports/transport.ts';
import { eventNumber } from '../testing/sample-event.ts';
import { backOffMs, toFollowUp } from './follow-up.ts';

const AGENTS = 1000;
const SECOND_MS = 1000;
const OUTAGE_MS = 30 * 60_000;
/** Requests that the service accepts per second; it refuses the others with a Retry-After. */
const CAPACITY = 50;
/** For a thousand agents whose waits are at most 5 minutes, the average is 3.3 per second. */
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

/** Returns the number of requests in each second after the outage, until every agent has succeeded. */
function simulateReturn({
  random,
  refusal,
}: {
  random: () => number;
  refusal: TransportOutcome<never>;
}): number[] {
  const perSecond: number[] = [];
  const accepted: TransportOutcome<never[]> = {
    kind: 'answered',
    status: 200,
    body: [],
    serviceTimeMs: undefined,
  };
  // All agents record an event, and fail to send it, at the same moment.
  let waiting: Attempt[] = Array.from({ length: AGENTS }, () => ({ atMs: 0, failures: 0 }));
  for (let nowMs = 0; waiting.length > 0; nowMs += SECOND_MS) {
    const isDue = ({ atMs }: Attempt) => atMs < nowMs + SECOND_MS;
    const due = waiting.filter(isDue);
    const isAway = nowMs < OUTAGE_MS;
    if (!isAway) perSecond.push(due.length);
    const failed = due.flatMap(({ atMs, failures }, index): Attempt[] => {
      const outcome = isAway || index >= CAPACITY ? refusal : accepted;
      const followUp = toFollowUp(outcome, outcome === accepted ? [] : [eventNumber(1)], false);
      if (followUp.kind !== 'retry') return [];
      return [{ atMs: atMs + backOffMs(failures + 1, followUp, random), failures: failures + 1 }];
    });
    waiting = [...waiting.filter((attempt) => !isDue(attempt)), ...failed];
    if (perSecond.length > 3600) break;
  }
  return perSecond;
}

const unreachable: TransportOutcome<never> = { kind: 'unreachable', message: 'No route.' };
const unavailable: TransportOutcome<never> = {
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
])('1000 agents that lost the service at once, %s, return spread out', (_name, refusal) => {
  const perSecond = simulateReturn({ random: seeded(4711), refusal });
  expect(perSecond.reduce((sum, count) => sum + count)).toBe(AGENTS);
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(MAX_IN_A_SECOND);
  expect(perSecond.length).toBeLessThanOrEqual(6 * 60);
});

test('without jitter all agents return in the same second', () => {
  expect(Math.max(...simulateReturn({ random: () => 1, refusal: unreachable }))).toBe(AGENTS);
});
