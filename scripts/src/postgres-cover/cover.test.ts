import { expect, test } from 'vitest';
import { chooseCover, findUncovered, type StatementRecord, shapesOf } from './cover.ts';

const record = (file: string, durationMs: number, ...statements: string[]): StatementRecord => ({
  file,
  durationMs,
  statements,
});

const RECORDS = [
  record('long.test.ts', 9_000, 'select 1 from a', 'select 1 from b', 'select 1 from c'),
  record('a.test.ts', 100, 'select 1 from a'),
  record('b.test.ts', 100, 'select 1 from b', 'select 1 from a'),
  record('c.test.ts', 100, 'delete from c'),
];

test('statements that differ in values alone have one shape', () => {
  const texts = [
    'insert into a (b, c) values ($1, $2)',
    'insert into a (b, c) values ($1, $2), ($3, $4)',
    "select 'x' from a limit 10",
    "select 'y' from a\n limit 20",
    'begin',
    'set local lock_timeout = 10',
  ];
  expect([...shapesOf(texts)]).toEqual(['insert into a (b, c) values (?)', "select '' from a limit 0"]);
});

test('a statement that no chosen file sends is uncovered', () => {
  const uncovered = findUncovered(RECORDS, (file) => file === 'long.test.ts');
  expect([...uncovered]).toEqual([['delete from c', 'c.test.ts']]);
});

test('a cover sends every statement, and has no file that the others make needless', () => {
  const chosen = chooseCover(RECORDS, () => false);
  expect(chosen).toEqual(['c.test.ts', 'long.test.ts']);
  expect(findUncovered(RECORDS, (file) => chosen.includes(file)).size).toBe(0);
  expect(chooseCover(RECORDS, (file) => file === 'long.test.ts')).toEqual(['c.test.ts']);
});
