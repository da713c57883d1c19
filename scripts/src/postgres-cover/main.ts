import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  COVER,
  createPostgresChoice,
  differsOnPostgres,
} from '../../../packages/testing/src/plan/needs-postgres.ts';
import { chooseCover, findUncovered, type StatementRecord } from './cover.ts';

// `RECORD_STATEMENTS=DIR TEST_SOAK=true npx vitest run --project postgres` records, and `.ci/nightly` checks with
// `node scripts/src/postgres-cover/main.ts DIR` that `npm test` sends every statement to PostgreSQL too. `--write` chooses
// the files again.

const MAX_SHOWN = 20;

const [folder = '', option] = process.argv.slice(2);
const records = readdirSync(folder)
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as StatementRecord)
  // What acceptance tests reach over HTTP, tests of the server reach too.
  .filter(({ file }) => file.startsWith('packages/'));
if (records.length === 0) throw new Error(`${folder} has no records of tests.`);

if (option === '--write') {
  const chosen = chooseCover(records, (file) => differsOnPostgres(file, readFileSync(file, 'utf8')));
  writeFileSync(COVER, `${JSON.stringify(chosen, undefined, 2)}\n`);
  process.stdout.write(`${chosen.length} of ${records.length} files cover all statements.\n`);
} else {
  const uncovered = [...findUncovered(records, createPostgresChoice('.'))];
  for (const [statement, file] of uncovered.slice(0, MAX_SHOWN)) {
    process.stderr.write(`Only ${file} sends to PostgreSQL: ${statement.slice(0, 300)}\n`);
  }
  if (uncovered.length > 0) {
    process.stderr.write(
      `npm test sends ${uncovered.length} statements to SQLite only. Add a file to ${COVER}.\n`,
    );
    process.exitCode = 1;
  }
}
