import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '@tps/testing/fixture';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The migration that the next version brings: a column of two tables that every node writes to, and a table. */
export const NEXT_MIGRATION = '9000-add-next-version';

const MIGRATION = `import { type Kysely, sql } from 'kysely';

export async function addNextVersion(db: Kysely<unknown>): Promise<void> {
  for (const name of ['events', 'incidents'])
    await sql\`alter table \${sql.table(name)} add column added_later text default 'x'\`.execute(db);
  await db.schema.createTable('next_version').addColumn('id', 'text').execute();
}
`;

/** Adds the migration to the sources of a service, in the folder of its package. */
export function addNextMigration(server: string): void {
  const folder = join(server, 'src/database/migrations');
  const index = join(folder, 'index.ts');
  const entry = `  { name: '${NEXT_MIGRATION}', up: addNextVersion },\n];`;
  const before = readFileSync(index, 'utf8');
  const after = before.replace(/^\];$/m, entry);
  if (after === before) throw new Error(`${index} has no list of migrations`);
  writeFileSync(join(folder, `${NEXT_MIGRATION}.ts`), MIGRATION);
  writeFileSync(index, `import { addNextVersion } from './${NEXT_MIGRATION}.ts';\n${after}`);
}

/** Makes the version after this one, with the libraries of this checkout. Returns the file that runs its service. */
export function makeNextVersion(): string {
  const packages = join(newFolder(), 'packages');
  const server = join(packages, 'server');
  mkdirSync(packages);
  cpSync(join(ROOT, 'packages/server'), server, { recursive: true });
  symlinkSync(join(ROOT, 'packages/console'), join(packages, 'console'));
  symlinkSync(join(ROOT, 'node_modules'), join(packages, 'node_modules'));
  addNextMigration(server);
  return join(server, 'src/main.js');
}
