import { expect, test } from 'vitest';
import { findProblems, trimEngines } from './lock-file.ts';

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'root', engines: { node: '>=22' } },
    'node_modules/@tps/agent': { resolved: 'packages/agent', link: true },
    'node_modules/fastify': { version: '5.0.0', resolved: 'https://registry.example/fastify.tgz' },
    'node_modules/pg': { version: '8.0.0', engines: { node: '>=16' } },
  },
};

test('engines and download addresses are reported with the package', () => {
  expect(findProblems(LOCK)).toEqual([
    'the root package has engines',
    'node_modules/fastify has a download address',
    'node_modules/pg has engines',
  ]);
});

test('trimming removes the engines and nothing else', () => {
  const trimmed = trimEngines(LOCK);
  expect(findProblems(trimmed)).toEqual(['node_modules/fastify has a download address']);
  expect(trimmed).toMatchObject({
    lockfileVersion: 3,
    packages: { 'node_modules/pg': { version: '8.0.0' } },
  });
});
