import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../run.ts';

/** What belongs to the tests of a package. */
const TESTS = /\.test\.\w+$|\/testing\/|\.test-d\.ts$/;

/** Copies the files of the repository below `paths`, without tests. Files that Git does not track stay behind. */
export async function copyTracked(root: string, folder: string, paths: readonly string[]): Promise<void> {
  const listed = await run('git', ['ls-files', '-z', '--', ...paths], { cwd: root });
  for (const file of listed.split('\0')) {
    if (file === '' || TESTS.test(file)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    // What a link names: the chart links to the alert rules.
    cpSync(realpathSync(join(root, file)), join(folder, file));
  }
}
