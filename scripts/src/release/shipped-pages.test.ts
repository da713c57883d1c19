import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { findBrokenLinks, findPages } from '../../../acceptance/src/docs/links.ts';
import { copyTracked } from './copy-tracked.ts';
import { SHIPPED } from './stage-service.ts';

test('a release has the pages and examples for users, none for contributors, and no broken link', async () => {
  const folder = newFolder();
  await copyTracked(join(import.meta.dirname, '../../..'), folder, SHIPPED);
  const files = [
    'docs/device-protocol.md',
    'docs/signing-vectors.json',
    'docs/examples/send-event.sh',
    'examples/python-device/device.py',
    'examples/python-device/check_vectors.py',
    'packages/client/README.md',
  ];
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  const left = ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'packages/server/README.md'];
  expect(left.filter((file) => existsSync(join(folder, file)))).toEqual([]);
  expect(findBrokenLinks(folder, findPages(folder))).toEqual([]);
});
