import { expect, test } from 'vitest';
import { countOf } from './count-of.ts';

test('a count has the singular for one, and the plural for everything else', () => {
  expect([0, 1, 2].map((count) => countOf(count, 'tenant'))).toEqual(['0 tenants', '1 tenant', '2 tenants']);
  expect(countOf(1, 'entry', 'entries')).toBe('1 entry');
  expect(countOf(12, 'entry', 'entries')).toBe('12 entries');
});
