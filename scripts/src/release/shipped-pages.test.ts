import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { copyTracked } from './copy-tracked.ts';
import { DOCUMENTS } from './stage-service.ts';

test('a release contains the protocol of devices, its test vectors and its examples', async () => {
  const folder = newFolder();
  await copyTracked(join(import.meta.dirname, '../../..'), folder, DOCUMENTS);
  const files = [
    'docs/device-protocol.md',
    'docs/signing-vectors.json',
    'docs/examples/send-event.sh',
    'examples/python-device/device.py',
    'examples/python-device/check_vectors.py',
  ];
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
});
