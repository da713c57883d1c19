import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../run.ts';
import { isForContributors, withoutContributorLinks } from './contributor-pages.ts';

/** What belongs to the tests of a package. */
const TESTS = /\.test\.\w+$|\/testing\/|\.test-d\.ts$/;

/**
 * Copies the files of the repository below `paths`, without tests and pages for contributors. Files that Git does not
 * track stay behind.
 */
export async function copyTracked(root: string, folder: string, paths: readonly string[]): Promise<void> {
  const listed = await run('git', ['ls-files', '-z', '--', ...paths], { cwd: root });
  for (const file of listed.split('\0')) {
    if (file === '' || TESTS.test(file) || isForContributors(file)) continue;
    const copy = join(folder, file);
    mkdirSync(dirname(copy), { recursive: true });
    // What a link names: the chart links to the alert rules.
    cpSync(realpathSync(join(root, file)), copy);
    if (file.endsWith('.md')) {
      writeFileSync(copy, withoutContributorLinks(file, readFileSync(copy, 'utf8')));
    }
  }
}
