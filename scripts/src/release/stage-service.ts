import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.ts';
import type { Architecture } from './architecture.ts';
import { copyTracked } from './copy-tracked.ts';
import { pruneModules } from './prune-modules.ts';
import { describeContents } from './sbom.ts';
import { stampChart, stampVersion } from './stamp-version.ts';
import { toNotices } from './third-party-notices.ts';

/** The packages of the service and of `tps`, which needs all others. The console is built instead. */
const PACKAGES = ['contract', 'detection', 'signatures', 'agent', 'client', 'simulator', 'server', 'cli'];
/** The Helm chart, in the repository and in the archive. */
export const CHART = 'deploy/helm/tps';
/** What a reader of the archive needs beside the packages. */
const DOCUMENTS = ['docs', 'examples', 'deploy', ':(top,glob)*.md', 'LICENSE'];
/** What an archive has of the repository. */
export const SHIPPED = [...PACKAGES.map((name) => `packages/${name}`), ...DOCUMENTS];
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
 * Lays out the folder of the archive for one architecture. The service runs from its sources, as it does in the
 * repository: Node removes the types at the first start and keeps the compiled code.
 */
export async function stageService({
  root,
  folder,
  console,
  version,
  architecture,
  epoch,
}: {
  readonly root: string;
  readonly folder: string;
  /** The folder with the built console. */
  readonly console: string;
  readonly version: string;
  readonly architecture: Architecture;
  readonly epoch: number;
}): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await copyTracked(root, folder, SHIPPED);
  rmSync(join(folder, 'packages/detection/bench'), { recursive: true, force: true });
  cpSync(console, join(folder, 'packages/console/dist'), { recursive: true });
  await installDependencies({ root, folder, architecture });
  const sbom = await describeContents(folder, { version, epoch });
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
  writeFileSync(join(folder, 'THIRD_PARTY_NOTICES.txt'), await toNotices(folder, sbom.components));
  removeLock(folder);
  pruneModules(folder, architecture);
  for (const name of PACKAGES) stampVersion(join(folder, 'packages', name), version);
  stampChart(join(folder, CHART), version);
  symlinkSync(`node_modules/${runtimeOf(architecture)}`, join(folder, 'runtime'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/tps'), LAUNCHER);
  chmodSync(join(folder, 'bin/tps'), 0o755);
}

/** Builds the console. It is the same on every architecture. */
export async function buildConsole(root: string, folder: string): Promise<void> {
  const args = ['build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  await run(join(root, 'node_modules/.bin/vite'), args, { cwd: join(root, 'packages/console') });
}

/** The npm package with the Node.js that the release brings. */
function runtimeOf(architecture: Architecture): string {
  return `node-linux-${architecture}`;
}

/** Installs what the lock file names, which contains the hash of each package, for any machine with glibc. */
async function installDependencies({
  root,
  folder,
  architecture,
}: {
  readonly root: string;
  readonly folder: string;
  readonly architecture: Architecture;
}): Promise<void> {
  const read = (file: string) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      version: string;
      optionalDependencies: Record<string, string>;
    };
  const { version, optionalDependencies } = read('package.json');
  const runtime = runtimeOf(architecture);
  const manifest = {
    name: 'tps',
    version,
    private: true,
    type: 'module',
    workspaces: PACKAGES.map((name) => `packages/${name}`),
    optionalDependencies: { [runtime]: optionalDependencies[runtime] },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const name of PACKAGES) {
    stampVersion(join(folder, 'packages', name), read(`packages/${name}/package.json`).version);
  }
  for (const file of ['package-lock.json', '.npmrc']) cpSync(join(root, file), join(folder, file));
  const platform = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc'];
  await run('npm', ['ci', ...NPM_CI, ...platform], { cwd: folder });
}

/** Removes what only npm needs. */
function removeLock(folder: string): void {
  const files = ['package-lock.json', '.npmrc', 'node_modules/.package-lock.json'];
  for (const file of files) rmSync(join(folder, file), { recursive: true, force: true });
}
