import { expect, test } from 'vitest';
import { pageOfId } from './id-pages.ts';

test('an id leads to the page of its object', () => {
  expect(pageOfId('inc_06ays3w8')).toBe('/incidents/inc_06ays3w8');
});

test.each(['trc_1', 'constructor_1', '__proto___1', 'service', ''])('%j has no page', (id) => {
  expect(pageOfId(id)).toBeUndefined();
});
