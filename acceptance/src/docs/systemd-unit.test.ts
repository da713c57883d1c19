import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const UNIT = join(ROOT, 'deploy/systemd/tps.service');

test('the exposure of the systemd unit is not worse than docs/install.md states', ({ skip }) => {
  const exposure = measureExposure();
  if (exposure === undefined) return skip('systemd-analyze is not installed');
  const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8').replaceAll('\n', ' ');
  const stated = Number(/rates the exposure as (\d\.\d)/.exec(page)?.[1]);
  expect(exposure).toBeLessThanOrEqual(stated);
});

/** From 0 to 10; lower is better. */
function measureExposure(): number | undefined {
  const args = ['security', '--offline=true', '--no-pager', UNIT];
  try {
    const printed = execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' });
    return Number(/Overall exposure level for \S+: (\d+\.\d)/.exec(printed)?.[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
