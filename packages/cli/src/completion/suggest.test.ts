import { createTestContext } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { buildProgram } from '../program.ts';
import { toCompletionTree } from './completion-tree.ts';
import { suggest } from './suggest.ts';

const tree = toCompletionTree(buildProgram(createTestContext().context));
const valuesOf = (...words: string[]) => suggest(tree, words).map(({ value }) => value);

test('a prefix completes to the matching commands', () => {
  expect(valuesOf('inc')).toEqual(['incidents']);
  expect(valuesOf('webhooks', 'dlq', '')).toEqual(expect.arrayContaining(['list', 'replay', 'remove']));
});

test('an option prefix completes to options of the command and of the program', () => {
  expect(valuesOf('alerts', 'list', '--s')).toEqual(['--severity', '--status', '--since']);
  expect(valuesOf('alerts', 'list', '--json')).toEqual(['--json']);
});

test('the listed values of an option complete, also after "=" as bash splits it', () => {
  expect(valuesOf('alerts', 'list', '--severity', 'c')).toEqual(['critical']);
  expect(valuesOf('alerts', 'list', '--severity=c')).toEqual(['--severity=critical']);
  expect(valuesOf('alerts', 'list', '--severity', '=', 'c')).toEqual(['critical']);
});

test('the value of an option is not taken for a command', () => {
  expect(valuesOf('--profile', 'alerts', 'dev')).toEqual(['devices']);
});

test('nothing is suggested where any value is allowed', () => {
  expect(valuesOf('scan', 'file', 'inv')).toEqual([]);
  expect(valuesOf('--credential-file', '')).toEqual([]);
});

test('hidden commands are not suggested', () => {
  expect(valuesOf('compl')).toEqual(['completion']);
});
