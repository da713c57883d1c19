import { expect, test } from 'vitest';
import { StatementCache } from './statement-cache.ts';

test('a text is prepared once, until so many others were used after it', () => {
  const prepared: string[] = [];
  const cache = new StatementCache((text) => prepared.push(text), 2);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) cache.get(text);
  expect(prepared).toEqual(['a', 'b', 'c', 'b']);
});
