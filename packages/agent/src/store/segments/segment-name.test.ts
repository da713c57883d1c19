import { expect, test } from 'vitest';
import { logFile, parseFileName, segmentName } from './segment-name.ts';

test.each([
  ['priority', 'grave-00000002'],
  ['ordinary', 'ordinary-00000002'],
  ['journal', 'journal-00000002'],
] as const)('the name of a %s segment on disk does not change', (lane, name) => {
  expect(segmentName(lane, 2)).toBe(name);
  expect(parseFileName(logFile(name))).toEqual({ segment: name, lane, counter: 2, part: 'log' });
});

test.each(['other-00000002.log', 'ordinary-2.log', 'ordinary-00000002.txt', 'priority-00000002.log'])(
  'the file %s does not belong to a segment',
  (name) => {
    expect(parseFileName(name)).toBeUndefined();
  },
);
