import { describe, expect, test } from 'vitest';
import { formatTraceparent, parseTraceparent } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('the example of the standard is read and written', () => {
  const context = parseTraceparent(`00-${TRACE}-${SPAN}-01`);
  expect(context).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1, isRemote: true });
  expect(context && formatTraceparent(context)).toBe(`00-${TRACE}-${SPAN}-01`);
});

test('unknown flags are not passed on', () => {
  const context = parseTraceparent(`00-${TRACE}-${SPAN}-ff`);
  expect(context && formatTraceparent(context)).toBe(`00-${TRACE}-${SPAN}-03`);
});

test.each([`cc-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-what-the-future-will-be`])(
  'a later version is read as the first: %s',
  (header) => expect(parseTraceparent(header)).toMatchObject({ traceId: TRACE, flags: 1 }),
);

describe('a malformed header is ignored', () => {
  test.each([
    undefined,
    '',
    '00',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01-`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-.1`,
    `ff-${TRACE}-${SPAN}-01`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN.toUpperCase()}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01 `,
    `00-${TRACE}-${SPAN}-01\n`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01.x`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(100)}`,
    'x'.repeat(16_000),
  ])('%j', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});
