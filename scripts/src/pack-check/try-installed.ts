import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tarball } from './pack.ts';
import { run } from './run.ts';

/** No setting of the repository holds here: an empty folder has none. What is installed runs no scripts. */
const NPMRC = 'audit=false\nfund=false\nignore-scripts=true\nprefer-offline=true\nupdate-notifier=false\n';
const FIRST_EXAMPLE = /^```js\n([\s\S]*?)^```$/m;

/** Installs tarballs into an empty folder and gives where they are. Nothing else of ours can be found from there. */
export async function install(tarballs: readonly Tarball[], folder: string): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"name":"someone-elses","private":true,"type":"module"}\n');
  writeFileSync(join(folder, '.npmrc'), NPMRC);
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs.map(pathOf)], {
    cwd: folder,
  });
}

/** Gives where an installed package is. */
export function installedAt(folder: string, { name }: Tarball): string {
  return join(folder, 'node_modules', ...name.split('/'));
}

/**
 * Runs the first example of an installed package's README, as somebody who copied it would.
 * @throws Error when it fails, or does not print what it says it does: the comment on its last line
 */
export async function runReadmeExample(folder: string, tarball: Tarball): Promise<void> {
  const readme = readFileSync(join(installedAt(folder, tarball), 'README.md'), 'utf8');
  const example = FIRST_EXAMPLE.exec(readme)?.[1];
  if (example === undefined) throw new Error(`the README of ${tarball.name} has no example in js`);
  const file = `${tarball.name.replace(/.*\//, '')}-example.js`;
  writeFileSync(join(folder, file), example);
  const printed = (await run(process.execPath, [file], { cwd: folder })).trim();
  const promised = /\/\/ (.*)\s*$/.exec(example)?.[1]?.trim();
  if (printed !== promised)
    throw new Error(`the example of ${tarball.name} printed ${printed} and promises ${promised}`);
}

function pathOf({ path }: Tarball): string {
  return path;
}
