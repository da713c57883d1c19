import type { Incident } from '@tps/client';
import { expect, test } from 'vitest';
import { toTimelineItems } from './timeline-items.ts';

const entry = (members: Partial<Incident['timeline'][number]>) => ({
  at: '2026-03-02T09:15:04.120Z',
  kind: 'changed' as const,
  actor: 'acc_1',
  actor_name: 'Jo',
  message: 'Status from open to on_hold',
  comment: null,
  ...members,
});

test('the newest is first, and alerts that joined in a row are one item', () => {
  const join = (message: string) => entry({ kind: 'alert_joined', message });
  const items = toTimelineItems([join('A'), join('B'), entry({}), join('C')]);
  expect(items.map(({ kind, joined }) => [kind, joined])).toEqual([
    ['alert_joined', ['C']],
    ['changed', []],
    ['alert_joined', ['A', 'B']],
  ]);
});

test.each([
  ['Comment: hm', '', true],
  ['Status from open to on_hold; Comment: hm', 'Status from open to on hold', false],
  ['Written differently', 'Written differently', false],
])('the comment is not repeated in the text of %s', (message, text, isComment) => {
  expect(toTimelineItems([entry({ message, comment: 'hm' })])).toMatchObject([
    { text, comment: 'hm', isComment },
  ]);
});
