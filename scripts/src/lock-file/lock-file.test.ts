import { expect, test } from 'vitest';
import { completeHashes, findProblems, listWithoutHash, trimEngines } from './lock-file.ts';

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'root', engines: { node: '>=22' } },
    'node_modules/@tps/agent': { resolved: 'packages/agent', link: true },
    'packages/agent': { version: '0.2.0' },
    'node_modules/fastify': {
      version: '5.0.0',
      resolved: 'https://registry.example/fastify.tgz',
      integrity: 'sha512-fastify',
    },
    'node_modules/pg': { version: '8.0.0', engines: { node: '>=16' }, integrity: 'sha512-pg' },
  },
};

const INCOMPLETE = {
  packages: {
    'node_modules/@tps/agent': { resolved: 'packages/agent', link: true },
    'packages/agent': { version: '0.2.0' },
    'node_modules/tool': { version: '1.0.0' },
    'node_modules/tool/node_modules/part': { version: '1.0.0', license: 'MIT' },
    'node_modules/inside': { version: '1.0.0', inBundle: true },
    'node_modules/alias': { name: 'renamed', version: '2.0.0' },
    'node_modules/tool-any': { version: '1.0.0', optional: true },
    'node_modules/tool-darwin': { version: '1.0.0', optional: true, os: ['darwin'] },
    'node_modules/hashed': { version: '1.0.0', integrity: 'sha512-hashed' },
  },
};

test('engines and download addresses are reported with the package', () => {
  expect(findProblems(LOCK)).toEqual([
    'the root package has engines',
    'node_modules/fastify has a download address',
    'node_modules/pg has engines',
  ]);
});

test('a package without a hash is reported, also if it is optional or for another platform', () => {
  expect(findProblems(INCOMPLETE)).toEqual([
    'node_modules/tool has no integrity',
    'node_modules/tool/node_modules/part has no integrity',
    'node_modules/alias has no integrity',
    'node_modules/tool-any has no integrity',
    'node_modules/tool-darwin has no integrity',
  ]);
});

test('hashes are completed, and optional packages that the registry does not have are left out', () => {
  const missing = listWithoutHash(INCOMPLETE);
  expect(missing.map(({ spec }) => spec)).toEqual([
    'tool@1.0.0',
    'part@1.0.0',
    'renamed@2.0.0',
    'tool-any@1.0.0',
    'tool-darwin@1.0.0',
  ]);
  const inRegistry = missing.filter(({ spec }) => !['tool@1.0.0', 'tool-any@1.0.0'].includes(spec));
  const completed = completeHashes(
    INCOMPLETE,
    new Map(inRegistry.map(({ path, spec }) => [path, `sha512-${spec}`])),
  );
  expect(findProblems(completed)).toEqual(['node_modules/tool has no integrity']);
  expect(Object.keys(completed.packages)).not.toContain('node_modules/tool-any');
  expect(JSON.stringify(completed.packages['node_modules/tool/node_modules/part'])).toBe(
    '{"version":"1.0.0","integrity":"sha512-part@1.0.0","license":"MIT"}',
  );
  expect(completed.packages['node_modules/hashed']).toEqual(INCOMPLETE.packages['node_modules/hashed']);
});

test('trimming removes the engines and nothing else', () => {
  const trimmed = trimEngines(LOCK);
  expect(findProblems(trimmed)).toEqual(['node_modules/fastify has a download address']);
  expect(trimmed).toMatchObject({
    lockfileVersion: 3,
    packages: { 'node_modules/pg': { version: '8.0.0' } },
  });
});
