import { expect, test } from 'vitest';
import { findProblems, trimEngines } from './lock-file.ts';

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

test('engines and download addresses are reported with the package', () => {
  expect(findProblems(LOCK)).toEqual([
    'the root package has engines',
    'node_modules/fastify has a download address',
    'node_modules/pg has engines',
  ]);
});

test('a package without a hash is reported, unless it is for another platform than that of CI', () => {
  const optional = { version: '1.0.0', optional: true };
  const packages = {
    'packages/agent': { version: '0.2.0' },
    'node_modules/tool': { version: '1.0.0' },
    'node_modules/tool/node_modules/part': { version: '1.0.0' },
    'node_modules/inside': { version: '1.0.0', inBundle: true },
    'node_modules/tool-any': optional,
    'node_modules/tool-linux-x64': { ...optional, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/tool-linux-x64-musl': { ...optional, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/tool-linux-arm64': { ...optional, os: ['linux'], cpu: ['arm64'] },
    'node_modules/tool-not-windows': { ...optional, os: ['!win32'] },
    'node_modules/tool-darwin': { ...optional, os: ['darwin'] },
  };
  expect(findProblems({ packages })).toEqual([
    'node_modules/tool has no integrity',
    'node_modules/tool/node_modules/part has no integrity',
    'node_modules/tool-any has no integrity',
    'node_modules/tool-linux-x64 has no integrity',
    'node_modules/tool-not-windows has no integrity',
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
