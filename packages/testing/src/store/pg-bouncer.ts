import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../network/free-port.ts';
import { startDebianServer } from '../process/debian-program.ts';
import { findAccount } from './unprivileged-account.ts';

export interface PgBouncer {
  /** Returns the URL of a database behind the pooler. */
  toUrl(storeUrl: string): string;
  stop(): Promise<void>;
}

/** Starts Debian's PgBouncer in front of the server of a store, with the settings of Debian's package otherwise. */
export async function startPgBouncer(
  storeUrl: string,
  { settings = {} }: { settings?: Readonly<Record<string, string | number>> } = {},
): Promise<PgBouncer> {
  const server = new URL(storeUrl);
  const account = findAccount();
  const folder = mkdtempSync(join(tmpdir(), 'tps-pgbouncer-'));
  const port = await findFreePort();
  const write = (name: string, lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: write('users', [`"${server.username}" "${server.password}"`]),
    ...settings,
  };
  const file = write('pgbouncer.ini', [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
  ]);
  if (account) chownSync(folder, account.uid, account.gid);
  const started = await startDebianServer({ name: 'pgbouncer', args: [file], port, account, cwd: folder });
  return {
    toUrl(url) {
      const behind = new URL(url);
      behind.port = String(port);
      return behind.href;
    },
    async stop() {
      await started.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
