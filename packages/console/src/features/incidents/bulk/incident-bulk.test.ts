import { expect, test } from 'vitest';
import { groupByPrevious } from './incident-bulk.ts';

test('incidents with the same previous values are undone together, and unchanged ones are not', () => {
  const groups = groupByPrevious([
    { id: 'inc_1', status: 200, version: 2, previous: { status: 'open', assignee: null } },
    { id: 'inc_2', status: 200, version: 5, previous: { status: 'on_hold', resolution: null } },
    { id: 'inc_3', status: 200, version: 3, previous: { status: 'open', assignee: null } },
    { id: 'inc_4', status: 200, version: 1 },
    { id: 'inc_5', status: 404, error: { code: 'not_found', message: 'No such incident.' } },
  ]);
  expect(groups).toEqual([
    {
      change: { status: 'open', assignee: null },
      items: [
        { id: 'inc_1', version: 2 },
        { id: 'inc_3', version: 3 },
      ],
    },
    { change: { status: 'on_hold' }, items: [{ id: 'inc_2', version: 5 }] },
  ]);
});
