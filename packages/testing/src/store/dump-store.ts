import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { TestStore } from './test-store.ts';

/** Gives everything in a store as text: every byte of an SQLite store's files, every row of every table on PostgreSQL. */
export async function dumpStore({ url }: Pick<TestStore, 'url'>): Promise<string> {
  return url.startsWith('sqlite:') ? readFiles(url) : await readTables(url);
}

/**
 * Whether a store holds a text, as it is or encoded as people encode secrets. A test that expects this to be false
 * looks for something that is there as well.
 */
export function holdsText(dump: string, text: string): boolean {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')].some((form) =>
    dump.includes(form),
  );
}

function readFiles(url: string): string {
  const directory = dirname(url.replace('sqlite:', ''));
  return readdirSync(directory)
    .map((file) => readFileSync(join(directory, file), 'latin1'))
    .join('\n');
}

async function readTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const dumps: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from "${name}" t`);
    dumps.push(...rows.map(({ row }) => row));
  }
  await client.end();
  return dumps.join('\n');
}
