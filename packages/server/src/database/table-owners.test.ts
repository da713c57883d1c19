import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { TABLE_NAMES, TABLES, type TableName } from './tables/index.ts';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));
/** Deletes by lists of tables; see `TABLES`. */
const GENERIC_DELETES = [
  'features/data-requests/subject-rows-store.ts',
  'features/maintenance/retention/purge-store.ts',
  'features/tenants/deletion-store.ts',
];

const NAMES = TABLE_NAMES.join('|');
const BUILDER_WRITES =
  'insertInto|updateTable|deleteFrom|insertMany|upsertMany|addMany|updateMany|updateExisting|insertIgnoringConflicts';
const WRITES = [
  new RegExp(`\\b(?:${BUILDER_WRITES})\\(\\s*'(${NAMES})'`, 'g'),
  new RegExp(`\\b(?:insert into|update|delete from)\\s+(${NAMES})\\b`, 'g'),
];
const READS = [
  new RegExp(`\\b(?:selectFrom|rowsOf|table|\\w*Join\\w*)\\(\\s*'(${NAMES})(?: as \\w+)?'`, 'g'),
  new RegExp(`(?<!delete )\\b(?:from|join)\\s+(${NAMES})\\b`, 'g'),
];
const DYNAMIC_TABLE =
  /\bsql\.table\((?!')|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(\s*[a-z]\w*\b(?!\.rowsOf\(')/;

interface SourceFile {
  /** Relative to the server's sources. */
  readonly path: string;
  readonly code: string;
}

/** Returns every way in which a file breaks the rule of `TABLES`. */
function findViolations({ path, code }: SourceFile): string[] {
  const feature = /^features\/([^/]+)\//.exec(path)?.[1] ?? path.split('/')[0];
  const foreign = (patterns: readonly RegExp[]) =>
    findTables(code, patterns).filter((table) => TABLES[table].owner !== feature);
  const writes = foreign(WRITES).map((table) => `${path} writes ${table} of ${TABLES[table].owner}`);
  if (path.endsWith('-read-model.ts')) return writes;
  const reads = foreign(READS).map(
    (table) => `${path} reads ${table} of ${TABLES[table].owner} outside a *-read-model.ts`,
  );
  const hidden =
    DYNAMIC_TABLE.test(code) && !GENERIC_DELETES.includes(path)
      ? [`${path} names its table in a variable`]
      : [];
  return [...writes, ...reads, ...hidden];
}

function findTables(code: string, patterns: readonly RegExp[]): TableName[] {
  const found = patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, table]) => table as TableName),
  );
  return [...new Set(found)];
}

function readSources(): SourceFile[] {
  return readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(SOURCE, file), code: withoutComments(readFileSync(file, 'utf8')) }))
    .filter(({ path }) => !path.startsWith('database/') && !path.includes('/testing/'));
}

function withoutComments(code: string): string {
  return code.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

test('only its owner writes a table, and foreign reads stand in read models', () => {
  expect(readSources().flatMap(findViolations)).toEqual([]);
});

describe('a violation is found', () => {
  test.each([
    ["tx.upsertMany('alerts', [], rows)", 'writes alerts of alerts'],
    ["tx.db\n  .updateTable('events')", 'writes events of feed'],
    ['sql`delete from jobs where 1 = 1`', 'writes jobs of jobs'],
    ["db.selectFrom('tenants as t')", 'reads tenants of tenants outside a *-read-model.ts'],
    [
      "db.selectFrom(queries.rowsOf('tenants', lookup))",
      'reads tenants of tenants outside a *-read-model.ts',
    ],
    ['db.selectFrom(queries.rowsOf(table, lookup))', 'names its table in a variable'],
    ["query.leftJoin('devices', 'a', 'b')", 'reads devices of devices outside a *-read-model.ts'],
    ['`select * from w join incidents on true`', 'reads incidents of incidents outside a *-read-model.ts'],
    [`sql\`select 1 from $\{sql.table(name)}\``, 'names its table in a variable'],
    ['db.deleteFrom(table)', 'names its table in a variable'],
  ])('%j', (code, problem) => {
    const path = 'features/webhooks/webhook-store.ts';
    expect(findViolations({ path, code })).toEqual([`${path} ${problem}`]);
  });

  test('a read model may read foreign tables but not write them', () => {
    const path = 'features/status/status-read-model.ts';
    const code = "db.selectFrom('alerts'); tx.insertMany('alerts', rows)";
    expect(findViolations({ path, code })).toEqual([`${path} writes alerts of alerts`]);
  });
});
