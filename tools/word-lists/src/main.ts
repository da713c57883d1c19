import { writeFileSync } from 'node:fs';
import { generateWordLists, pathOf } from './word-lists.ts';

const HELP = `Writes detection's generated word lists from public lists and the reviewed ones in reviewed/.

  npm run write -w tools/word-lists
`;

if (process.argv.length > 2) {
  process.stderr.write(HELP);
  process.exitCode = process.argv[2] === '--help' ? 0 : 2;
} else {
  for (const list of generateWordLists()) {
    writeFileSync(pathOf(list), list.source);
    process.stderr.write(`Wrote ${pathOf(list)}\n`);
  }
}
