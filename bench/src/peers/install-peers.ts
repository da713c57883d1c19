import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../peers/', import.meta.url));
/** npm writes it at the end of an installation. */
const INSTALLED = `${FOLDER}node_modules/.package-lock.json`;

/** The name of each server in rows of the table, and its package. */
const PACKAGES = {
  service: '../../../packages/server',
  'Parse Server': 'parse-server',
  Restate: '@restatedev/restate-server',
  'graphile-worker': 'graphile-worker',
} as const;

/** Versions by the name of the peer. */
export type PeerVersions = Readonly<Record<string, string>>;

/** Installs the peers with the versions of their lock file, unless this was done before. Runs no scripts of packages. */
export function installPeers(): void {
  const isCurrent =
    existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(`${FOLDER}package-lock.json`).mtimeMs;
  if (isCurrent) return;
  console.log('installing the peers in bench/peers');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: 'inherit',
  });
}

export function readPeerVersions(): PeerVersions {
  const versions = Object.entries(PACKAGES).map(([name, folder]) => {
    const path = `${FOLDER}node_modules/${folder}/package.json`;
    return [name, (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version];
  });
  return Object.fromEntries(versions) as PeerVersions;
}
