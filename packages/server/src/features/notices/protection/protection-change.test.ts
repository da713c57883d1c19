import type { ProtectionStatus } from '@tps/contract';
import { expect, test } from 'vitest';
import { nextProtection, type ProtectionState } from './protection-change.ts';

type Status = ProtectionStatus['status'];
const MINUTE_MS = 60_000;

/** Observes statuses a minute apart. Returns what is reported, with the minute. */
function observe(...statuses: Status[]): string[] {
  const told: string[] = [];
  let state: ProtectionState | undefined;
  statuses.forEach((status, minute) => {
    const next = nextProtection(state, { status, reasons: ['why'] }, minute * MINUTE_MS);
    told.push(...next.causes.map(({ cause }) => `${minute} ${cause}`));
    state = next.state;
  });
  return told;
}

test('a fault is reported at once and once', () => {
  expect(observe('protected', 'degraded', 'degraded', 'degraded')).toEqual(['1 protection_degraded']);
});

test('a threat is not a fault: it is an incident', () => {
  expect(observe('protected', 'at_risk', 'protected')).toEqual([]);
});

test('a new tenant without a device gets no notice, until it has lost its last one', () => {
  expect(observe('unprotected', 'unprotected')).toEqual([]);
  expect(observe('unprotected', 'degraded', 'degraded')).toEqual(['1 protection_degraded']);
  expect(observe('protected', 'unprotected')).toEqual(['1 protection_degraded']);
});

test('a fault at the first look is reported', () => {
  expect(observe('degraded')).toEqual(['0 protection_degraded']);
});

test('the end of a fault is reported when no process has seen it for 90 seconds', () => {
  expect(observe('degraded', 'protected', 'protected', 'at_risk')).toEqual([
    '0 protection_degraded',
    '2 protection_restored',
  ]);
});

test('two processes that differ do not report in turns', () => {
  expect(observe('degraded', 'protected', 'degraded', 'protected', 'degraded')).toEqual([
    '0 protection_degraded',
  ]);
});

test('the end reaches those that know of the fault', () => {
  const { state, causes } = nextProtection(undefined, { status: 'degraded', reasons: [] }, 1000);
  const [degraded] = causes;
  const restored = nextProtection(state, { status: 'protected', reasons: [] }, 1_000_000).causes[0];
  expect(restored?.endsKey).toBe(degraded?.key);
  expect(degraded?.severity).toBe('high');
});
