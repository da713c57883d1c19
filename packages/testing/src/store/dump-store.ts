import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { TestStore } from './test-store.ts';

/** Returns the content of a store as text: all bytes of an SQLite store's files, all rows of a PostgreSQL database. */
export async function dumpStore({ url }: Pick<TestStore, 'url'>): Promise<string> {
  return url.startsWith('sqlite:') ? readFiles(url) : await readTables(url);
}

/**
 * Reports whether a dump contains a text, plain or in hex or base64. A test that expects `false` also looks for a text
 * that the store does contain.
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
