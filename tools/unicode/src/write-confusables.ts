import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { selectConfusables, toSource } from './select-confusables.ts';

const HELP = `Writes packages/detection/src/normalize/confusables.ts from Unicode's confusables.txt (UTS #39).

  npm run write-confusables -w tools/unicode -- FILE

  FILE   https://www.unicode.org/Public/security/16.0.0/confusables.txt, or icu4c/source/data/unidata/confusables.txt of ICU 76
`;
const TARGET = fileURLToPath(
  new URL('../../../packages/detection/src/normalize/confusables.ts', import.meta.url),
);

const [file] = process.argv.slice(2);
if (file === undefined || file === '--help') {
  process.stderr.write(HELP);
  process.exitCode = file === undefined ? 2 : 0;
} else {
  const source = readFileSync(file, 'utf8');
  const table = selectConfusables(source);
  writeFileSync(TARGET, toSource(source, table));
  process.stderr.write(`Wrote ${table.size} letters to ${TARGET}\n`);
}
