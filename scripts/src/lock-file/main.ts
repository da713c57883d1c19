import { readFileSync, writeFileSync } from 'node:fs';
import { findProblems, type LockFile, trimEngines } from './lock-file.ts';

// `npm run lock` trims the lock files after `npm install`; `npm run lock:check` is what CI runs.
const FILES = ['package-lock.json', 'bench/peers/package-lock.json'];

for (const file of FILES) {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, `${JSON.stringify(trimEngines(lock), undefined, 2)}\n`);
    continue;
  }
  const problems = findProblems(lock);
  for (const problem of problems) process.stderr.write(`${file}: ${problem}\n`);
  if (problems.length > 0) {
    process.stderr.write('Run `npm run lock` and commit the result.\n');
    process.exitCode = 1;
  }
}
