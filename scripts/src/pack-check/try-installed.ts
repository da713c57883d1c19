import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tarball } from './pack.ts';
import { run } from '../run.ts';

/** No setting of the repository holds here: an empty folder has none. What is installed runs no scripts. */
const NPMRC = 'audit=false\nfund=false\nignore-scripts=true\nprefer-offline=true\nupdate-notifier=false\n';
const EXAMPLES = /^```js\n([\s\S]*?)^```$/gm;

/** Installs tarballs into an empty folder and gives where they are. Nothing else of ours can be found from there. */
export async function install(tarballs: readonly Tarball[], folder: string): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"name":"someone-elses","private":true,"type":"module"}\n');
  writeFileSync(join(folder, '.npmrc'), NPMRC);
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs.map(pathOf)], {
    cwd: folder,
  });
}

/** The folder of an installed package. */
export function installedAt(folder: string, { name }: Tarball): string {
  return join(folder, 'node_modules', ...name.split('/'));
}

/** Writes each example of an installed package's README into a file, as a reader would copy it. */
export function copyReadmeExamples(folder: string, tarball: Tarball): Example[] {
  const readme = readFileSync(join(installedAt(folder, tarball), 'README.md'), 'utf8');
  const examples = [...readme.matchAll(EXAMPLES)].map(([, code = '']) => code);
  if (examples.length === 0) throw new Error(`the README of ${tarball.name} has no example in js`);
  return examples.map((code, number) => {
    const file = `${tarball.name.replace(/.*\//, '')}-example-${number + 1}.js`;
    writeFileSync(join(folder, file), code);
    return { folder, file, promised: /\/\/ (.*)\s*$/.exec(code)?.[1]?.trim() };
  });
}

/** An example of a README, in a folder with nothing but the installed packages. */
export interface Example {
  readonly folder: string;
  readonly file: string;
  /** What it says it prints: the comment on its last line. */
  readonly promised: string | undefined;
}

/** @throws Error when the example fails, or does not print what it says it does */
export async function runExample({ folder, file, promised }: Example): Promise<void> {
  const printed = (await run(process.execPath, [file], { cwd: folder })).trim();
  if (printed !== promised) throw new Error(`${file} printed ${printed} and promises ${promised}`);
}

/**
 * Holds examples of one folder, and all declarations that they lead to, against the compiler.
 * @throws Error that says what does not fit
 */
export async function checkTypes(root: string, folder: string, examples: readonly Example[]): Promise<void> {
  const flags = ['--noEmit', '--allowJs', '--checkJs', '--strict', 'false', '--types', 'node'];
  const library = ['--target', 'es2023', '--module', 'nodenext'];
  const types = ['--typeRoots', join(root, 'node_modules', '@types')];
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const files = examples.map(({ file }) => file);
  await run(tsc, [...flags, ...library, ...types, ...files], { cwd: folder });
}

function pathOf({ path }: Tarball): string {
  return path;
}
