import type { Incident, IncidentChange } from '@tps/client';
import { expect, test } from 'vitest';
import { entriesSince, isCompatible } from './merge-conflict.ts';

const SHOWN = {
  status: 'open',
  resolution: null,
  severity: 'high',
  assignee: null,
  tags: [],
  version: 1,
  timeline: [],
} as unknown as Incident;

test.each<[string, boolean, IncidentChange, Partial<Incident>]>([
  ['only events joined', true, { status: 'resolved', resolution: 'test' }, { version: 9 }],
  ['another person tagged, this one resolves', true, { status: 'on_hold' }, { tags: ['vip'] }],
  ['both change the status', false, { status: 'on_hold' }, { status: 'resolved', resolution: 'test' }],
  ['both assign', false, { assignee: 'me' }, { assignee: 'Kim' }],
  ['another person assigned, this one comments', true, { comment: 'hm' }, { assignee: 'Kim' }],
  ['both add tags', true, { add_tags: ['a'] }, { tags: ['b'] }],
  ['another person tagged, this one replaces the tags', false, { tags: ['a'] }, { tags: ['b'] }],
])('where %s, merging without a question is %s', (_, expected, wanted, theirs) => {
  expect(isCompatible(wanted, SHOWN, { ...SHOWN, ...theirs })).toBe(expected);
});

test('what others did since is what the timeline gained, without alerts that joined', () => {
  const entry = { at: '2026-01-01T00:00:00.000Z', kind: 'changed', actor: 'acc_1', message: 'On hold' };
  const joined = { ...entry, kind: 'alert_joined', message: 'Alert joined' };
  const current = { ...SHOWN, timeline: [joined, entry] } as unknown as Incident;
  expect(entriesSince(SHOWN, current)).toEqual([entry]);
});
