import { readFileSync, writeFileSync } from 'node:fs';
import { findProblems, type LockFile, trimEngines } from './lock-file.ts';

// `npm run lock` trims package-lock.json after `npm install`; `npm run lock:check` is what CI runs.
const FILE = 'package-lock.json';
const lock = JSON.parse(readFileSync(FILE, 'utf8')) as LockFile;

if (process.argv.includes('--check')) {
  const problems = findProblems(lock);
  for (const problem of problems) process.stderr.write(`${FILE}: ${problem}\n`);
  if (problems.length > 0) {
    process.stderr.write('Run `npm run lock` and commit the result.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, `${JSON.stringify(trimEngines(lock), undefined, 2)}\n`);
}
