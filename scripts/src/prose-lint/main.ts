import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseBannedPhrases } from './banned-phrases.ts';
import { isData } from './data-paths.ts';
import { lintProse } from './lint-prose.ts';

// node scripts/src/prose-lint/main.ts [paths]: checks the files that git knows or would add, all by default.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const phrases = parseBannedPhrases(readFileSync(join(root, 'contributing/writing.md'), 'utf8'));
const paths = execFileSync(
  'git',
  [
    'ls-files',
    '-z',
    '--full-name',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...process.argv.slice(2),
  ],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
  .split('\0')
  .filter((path) => /\.(?:ts|mjs|md)$/.test(path) && !isData(path));

let count = 0;
for (const path of new Set(paths)) {
  if (!existsSync(join(root, path))) continue;
  const problems = lintProse(path, readFileSync(join(root, path), 'utf8'), phrases);
  count += problems.length;
  for (const { line, column, message } of problems) {
    process.stdout.write(`${path}:${line}:${column} ${message}\n`);
  }
}
if (count > 0) {
  process.stdout.write(`${count} problems; contributing/writing.md explains the rules\n`);
  process.exitCode = 1;
}
