import { writeFileSync } from 'node:fs';
import { generateWordLists } from './word-lists.ts';

const HELP = `Writes detection's generated word lists from the public lists in sources/ and the reviewed ones in reviewed/.

  npm run write -w tools/word-lists
`;

if (process.argv.length > 2) {
  process.stderr.write(HELP);
  process.exitCode = process.argv[2] === '--help' ? 0 : 2;
} else {
  for (const { path, source } of generateWordLists()) {
    writeFileSync(path, source);
    process.stderr.write(`Wrote ${path}\n`);
  }
}
