import { expect, test } from 'vitest';
import { buildProgram } from '../program.ts';
import { createTestContext } from '../testing/test-context.ts';
import { toCompletionTree } from './completion-tree.ts';
import { suggest } from './suggest.ts';

const tree = toCompletionTree(buildProgram(createTestContext().context));
const valuesOf = (...words: string[]) => suggest(tree, words).map(({ value }) => value);

test('the beginning of a command becomes the commands that begin so', () => {
  expect(valuesOf('inc')).toEqual(['incidents']);
  expect(valuesOf('webhooks', 'dlq', '')).toEqual(expect.arrayContaining(['list', 'replay', 'remove']));
});

test('the beginning of an option becomes the options of the command and of the program', () => {
  expect(valuesOf('alerts', 'list', '--s')).toEqual(['--severity', '--status']);
  expect(valuesOf('alerts', 'list', '--json')).toEqual(['--json']);
});

test('an option with few values offers them, also behind an equals sign, and as bash splits it', () => {
  expect(valuesOf('alerts', 'list', '--severity', 'c')).toEqual(['critical']);
  expect(valuesOf('alerts', 'list', '--severity=c')).toEqual(['--severity=critical']);
  expect(valuesOf('alerts', 'list', '--severity', '=', 'c')).toEqual(['critical']);
});

test('the value of an option is no command', () => {
  expect(valuesOf('--profile', 'alerts', 'dev')).toEqual(['devices']);
});

test('where anything may stand nothing is offered, so that the shell offers files', () => {
  expect(valuesOf('scan', 'file', 'inv')).toEqual([]);
  expect(valuesOf('--credential-file', '')).toEqual([]);
});

test('commands that are hidden stay so', () => {
  expect(valuesOf('compl')).toEqual(['completion']);
});
