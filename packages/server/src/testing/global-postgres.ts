import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../database/index.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run, and the migrated database from which each test's own is copied. Only in the project `postgres`. */
    postgres: { readonly serverUrl: string; readonly template: string };
  }
}

/** Gives the project `postgres` a server: that of TEST_DATABASE_URL, else one of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL;
  const server = external ? { url: external, stop: async () => undefined } : await startEmbeddedPostgres();
  const template = `tps_template_${randomBytes(6).toString('hex')}`;
  try {
    await onServer(server.url, `create database ${template}`);
    const database = await openDatabase(toDatabaseUrl(server.url, template));
    await database.close();
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('postgres', { serverUrl: server.url, template });
  return async () => {
    await onServer(server.url, `drop database ${template} with (force)`);
    await server.stop();
  };
}

/** Runs one statement that must stand outside a transaction. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Points the URL of a server at one of its databases. */
export function toDatabaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
