import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../run.ts';
import type { Tarball } from './pack.ts';

/**
 * No setting of the repository holds here: an empty folder has none. What is installed runs no scripts. No registry has
 * our packages, and another person could publish under their names: npm fails if it asks a registry for one.
 */
const NPMRC = `audit=false
fund=false
ignore-scripts=true
prefer-offline=true
update-notifier=false
fetch-retries=0
@tps:registry=http://127.0.0.1:1/
`;
const EXAMPLES = /^```js\n([\s\S]*?)^```$/gm;

/** Installs tarballs into an empty folder with the command of the READMEs. Nothing else of ours can be found from there. */
export async function install(root: string, tarballs: readonly Tarball[], folder: string): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"name":"someone-elses","private":true,"type":"module"}\n');
  writeFileSync(join(folder, '.npmrc'), NPMRC);
  for (const { path } of tarballs) copyFileSync(path, join(folder, basename(path)));
  await run('bash', ['-c', findCommand(root, tarballs)], { cwd: folder });
}

/** The command that all pages show. @throws Error when a page shows another one */
function findCommand(root: string, tarballs: readonly Tarball[]): string {
  const readmes = tarballs.map(({ name }) => `packages/${name.replace(/.*\//, '')}/README.md`);
  const commands = [...readmes, 'docs/install.md'].flatMap(
    (page) => readFileSync(join(root, page), 'utf8').match(/^npm install .*$/gm) ?? [`${page} has none`],
  );
  const [command = '', ...others] = new Set(commands);
  if (others.length > 0) throw new Error(`the pages install differently: ${[command, ...others].join('; ')}`);
  return command;
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

/** What docs/browsers.md says that a browser can load. */
const FOR_BROWSERS = ['@tps/signatures', '@tps/detection', '@tps/detection/indicators', '@tps/agent/browser'];

/** Bundles what is installed for a browser, as docs/browsers.md shows. @throws Error when something needs Node */
export async function bundleForBrowser(root: string, folder: string): Promise<void> {
  const file = join(folder, 'app.js');
  writeFileSync(file, FOR_BROWSERS.map((name, at) => `export * as part${at} from '${name}';\n`).join(''));
  const options = ['--bundle', '--minify', '--format=esm', '--splitting', '--platform=browser'];
  const esbuild = join(root, 'node_modules', '.bin', 'esbuild');
  await run(esbuild, [file, ...options, '--outdir=public', '--log-level=error'], { cwd: folder });
}
