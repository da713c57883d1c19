import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { createTestAuthority } from '@tps/testing/network';
import { useTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../index.ts';
import { createPool } from './postgres-pool.ts';

// The server of the tests has a certificate for 127.0.0.1.
const { ca } = inject('postgres');
const store = useTestDatabase({ scope: 'file' });
const stranger = createTestAuthority();

afterAll(() => stranger.remove());

/** Writes the certificate of an authority to a file. */
function fileWith(pem = ''): string {
  const file = join(newFolder(), 'ca.pem');
  writeFileSync(file, pem);
  return file;
}

function urlWith(parameters: Record<string, string>, host = '127.0.0.1'): string {
  const url = new URL(store.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Returns the messages of why the store cannot be opened. */
async function refusalOf(url: string): Promise<string[]> {
  try {
    await (await openDatabase(url)).close();
  } catch (error) {
    const messages: string[] = [];
    for (let cause = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
    return messages;
  }
  return [];
}

// A server that TEST_DATABASE_URL names has another certificate.
describe.skipIf(ca === undefined)('with sslmode=verify-full', () => {
  test('the right authority and host name give an encrypted connection', async () => {
    const database = await openDatabase(urlWith({ sslmode: 'verify-full', sslrootcert: fileWith(ca) }));
    try {
      const query = sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
      expect((await query.execute(database.read.db)).rows).toEqual([{ ssl: 1 }]);
    } finally {
      await database.close();
    }
  });

  test('another authority is refused, and the message says so', async () => {
    const [first, second] = await refusalOf(
      urlWith({ sslmode: 'verify-full', sslrootcert: fileWith(stranger.ca) }),
    );
    expect(first).toBe('The store is not reachable at the moment.');
    expect(second).toMatch(/^The TLS certificate of PostgreSQL was refused: .* authority .* not trusted/);
  });

  test('without sslrootcert only the public authorities are trusted', async () => {
    expect((await refusalOf(urlWith({ sslmode: 'verify-full' })))[1]).toContain('is not trusted');
  });

  test('another host name than that of the certificate is refused, and the message says so', async () => {
    const url = urlWith({ sslmode: 'verify-full', sslrootcert: fileWith(ca) }, 'localhost');
    expect((await refusalOf(url))[1]).toBe(
      'The TLS certificate of PostgreSQL was refused: it is for another host name than the one in the database URL.',
    );
  });

  test('a missing file of the authority is named', async () => {
    const messages = await refusalOf(urlWith({ sslmode: 'verify-full', sslrootcert: '/nonexistent/ca.pem' }));
    expect(messages.join()).toContain('/nonexistent/ca.pem');
  });

  test.each([
    ['is not encrypted', {}],
    ['is not verified', { sslmode: 'no-verify' }],
  ])('a connection to another machine that %s is used with a warning', async (problem, parameters) => {
    const warnings: string[] = [];
    const logger = { info: () => undefined, warn: (_: object, message: string) => warnings.push(message) };
    // It leads to this machine, but is not a loopback address.
    const database = await openDatabase(urlWith(parameters, '0.0.0.0'), { logger });
    await database.close();
    expect(warnings).toEqual([expect.stringContaining(`PostgreSQL at 0.0.0.0 ${problem}`)]);
  });

  test('the pool of the rate limit verifies the server too', async () => {
    const { pool } = createPool(urlWith({ sslmode: 'verify-full', sslrootcert: fileWith(stranger.ca) }), {
      size: 1,
    });
    await expect(pool.query('select 1')).rejects.toThrow('unable to verify');
    await pool.end();
  });
});
