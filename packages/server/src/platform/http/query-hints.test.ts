import { listEvents, listPolicies } from '@tps/contract';
import { expect, test } from 'vitest';
import { compileQueryValidator } from './validation.ts';

const validate = compileQueryValidator(listEvents.query);

/** Parses a query as the service does. */
function refusalOf(query: string): { code: string; message: string } {
  try {
    validate(Object.fromEntries(new URLSearchParams(query)));
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  throw new Error('the query was accepted');
}

test.each(['since', 'until', 'received_since'])('an unencoded + in the offset of %s gets a hint', (name) => {
  expect(refusalOf(`${name}=2026-03-02T09:15:03+01:00`)).toEqual({
    code: 'invalid_parameter',
    message: `${name} must be an RFC 3339 time with an offset, such as 2026-03-02T09:15:03Z. In a query, + stands for a space: write it as %2B`,
  });
  expect(() => validate({ [name]: '2026-03-02T09:15:03+01:00' })).not.toThrow();
});

test('another invalid time gets no hint', () => {
  expect(refusalOf('since=2026-03-02 09:15:03').message).not.toContain('%2B');
  expect(refusalOf('since=yesterday').message).not.toContain('%2B');
});

test('an empty cursor is to be left out', () => {
  const expected = {
    code: 'invalid_cursor',
    message: 'cursor is empty: leave the parameter out for the first page',
  };
  expect(refusalOf('cursor=')).toEqual(expected);
  expect(() => compileQueryValidator(listPolicies.query)({ cursor: '' })).toThrow(expected.message);
});
