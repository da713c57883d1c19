import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../fixture/new-folder.ts';
import { createImportSearch } from './imports-of.ts';

const STORE_INDEX = `export { createTestStore } from './test-store.ts';
export { dumpStore } from './dump-store.ts';`;

/** Returns whether a test with this code opens a store, in a repository with a few helpers. */
function opensStore(code: string): boolean {
  const root = newFolder();
  const files: Record<string, string> = {
    'packages/testing/src/store/index.ts': STORE_INDEX,
    'packages/testing/src/store/test-store.ts': 'export const createTestStore = () => {};',
    'packages/testing/src/store/dump-store.ts': 'export const dumpStore = () => {};',
    'packages/server/src/testing/scene.ts': `import { createTestStore } from '@tps/testing/store';
export type Scene = 1; export const scene = createTestStore;`,
    'packages/server/src/rule.ts': "import { scene } from './rule-of-circle.ts'; export const rule = scene;",
    'packages/server/src/rule-of-circle.ts': "import { rule } from './rule.ts'; export const scene = rule;",
    'packages/server/src/a.test.ts': code,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return createImportSearch(root)(
    'packages/server/src/a.test.ts',
    'packages/testing/src/store/test-store.ts',
  );
}

test.each([
  "import { createTestStore } from '@tps/testing/store';",
  "import * as store from '@tps/testing/store';",
  "import { type Scene, scene } from './testing/scene.ts';",
  "import './testing/scene.ts';",
  "export { scene } from './testing/scene.ts';",
  "const { scene } = await import('./testing/scene.ts');",
])('a test that imports what creates a store opens one: %s', (code) => {
  expect(opensStore(code)).toBe(true);
});

test.each([
  "import { dumpStore } from '@tps/testing/store';",
  "import type { Scene } from './testing/scene.ts';",
  "import { type Scene } from './testing/scene.ts';",
  "import { rule } from './rule.ts';",
  "import { sql } from 'kysely';",
])('a test that imports a type, or another part, opens none: %s', (code) => {
  expect(opensStore(code)).toBe(false);
});

test('a test that opens a store without an import that names it is refused', async () => {
  const path = '../store/test-store.ts';
  const { createTestStore } = (await import(path)) as typeof import('../store/test-store.ts');
  await expect(createTestStore()).rejects.toThrow('runs only once');
});
