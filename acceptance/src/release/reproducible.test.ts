import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, inject, onTestFinished, test } from 'vitest';
import { buildRelease } from '../../../scripts/src/release/build-release.ts';
import { ROOT } from './root.ts';

test('two builds of one commit have the same bytes, with another umask, zone and folder', async () => {
  const { out: first } = inject('release');
  const folder = newFolder();
  const before = { umask: process.umask(0o077), TZ: process.env.TZ, TMPDIR: process.env.TMPDIR };
  process.env.TZ = 'Asia/Tokyo';
  process.env.TMPDIR = join(folder, 'elsewhere');
  mkdirSync(process.env.TMPDIR);
  onTestFinished(() => {
    process.umask(before.umask);
    for (const name of ['TZ', 'TMPDIR'] as const) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  const out = join(folder, 'out');
  const { files, work } = await buildRelease({ root: ROOT, out });
  rmSync(work, { recursive: true });
  expect(files.length).toBe(10);
  expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe(readFileSync(join(first, 'SHA256SUMS'), 'utf8'));
});
