import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createTestAuthority } from '../network/test-certificates.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run, and how the names of its databases begin. Only in the project `postgres`. */
    postgres: {
      readonly serverUrl: string;
      readonly prefix: string;
      /** The authority of its certificate for 127.0.0.1, in PEM. Not known for a server that TEST_DATABASE_URL names. */
      readonly ca?: string;
    };
  }
}

/** Starts a PostgreSQL server for the project `postgres`, or takes the one that TEST_DATABASE_URL names. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `tps_test_${randomBytes(4).toString('hex')}_`;
  const external = process.env.TEST_DATABASE_URL;
  if (external) {
    project.provide('postgres', { serverUrl: external, prefix });
    return () => dropDatabases(external, prefix);
  }
  const authority = createTestAuthority();
  const { url, stop } = await startEmbeddedPostgres({ tls: authority.issue() });
  authority.remove();
  project.provide('postgres', { serverUrl: url, prefix, ca: authority.ca });
  return stop;
}

/** Drops what this run created: the templates of its workers, and what a failed test left behind. */
async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  const databases = await runOnServer<{ name: string }>(
    serverUrl,
    `select datname as name from pg_database where starts_with(datname, '${prefix}')`,
  );
  for (const { name } of databases) await runOnServer(serverUrl, `drop database ${name} with (force)`);
}

/** Runs one statement outside a transaction and returns its rows. */
export async function runOnServer<Row extends pg.QueryResultRow>(
  serverUrl: string,
  statement: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
