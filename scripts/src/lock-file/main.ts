import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  completeHashes,
  findProblems,
  type LockFile,
  listWithoutHash,
  type PackageWithoutHash,
  trimEngines,
} from './lock-file.ts';

// `npm run lock` trims and completes the lock files after `npm install`; `npm run lock:check` is what CI runs.
const FILES = ['package-lock.json', 'bench/peers/package-lock.json'];

for (const file of FILES) {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile;
  if (!process.argv.includes('--check')) {
    const hashes = listWithoutHash(lock).flatMap((missing) => askRegistry(missing));
    const completed = completeHashes(trimEngines(lock), new Map(hashes));
    writeFileSync(file, `${JSON.stringify(completed, undefined, 2)}\n`);
    continue;
  }
  const problems = findProblems(lock);
  for (const problem of problems) process.stderr.write(`${file}: ${problem}\n`);
  if (problems.length > 0) {
    process.stderr.write('Run `npm run lock` and commit the result.\n');
    process.exitCode = 1;
  }
}

/** Returns the hash of a package with its path, or nothing if the registry does not have the package. */
function askRegistry({ path, spec }: PackageWithoutHash): [path: string, hash: string][] {
  // The level, because the one of `npm run --silent` would hide the reason.
  const args = ['view', spec, 'dist.integrity', '--loglevel=error'];
  try {
    const hash = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    return hash === '' ? [] : [[path, hash]];
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (!/\bE404\b/.test(stderr)) throw error;
    process.stderr.write(`${spec} is not in the registry.\n`);
    return [];
  }
}
