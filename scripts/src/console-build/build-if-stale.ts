import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.ts';

const BUILT = 'packages/console/dist/index.html';
/** What the built console depends on. The lock file stands for the packages of others. */
const SOURCES = [
  'package-lock.json',
  'packages/console/{index.html,package.json,vite.config.ts}',
  'packages/{console,client,contract}/src/**/*.{ts,tsx,css,json}',
];

/** Builds the console unless it is newer than its sources. Returns whether it was built. */
export async function buildConsoleIfStale(root: string): Promise<boolean> {
  const builtMs = modifiedMs(join(root, BUILT));
  const isStale = globSync(SOURCES, { cwd: root, exclude: ['**/*.test.ts'] }).some(
    (file) => modifiedMs(join(root, file)) > builtMs,
  );
  if (isStale) await run('npm', ['run', '--silent', 'build:console'], { cwd: root });
  return isStale;
}

/** Zero for a file that does not exist. */
function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
