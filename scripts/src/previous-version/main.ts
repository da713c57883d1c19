import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { keepLibrariesOutside } from './keep-libraries-outside.ts';

/**
 * `npm run previous-version -- COMMIT` packs the service of a released version for the tests of upgrades: its program, its guidance
 * cards and its OpenAPI document, in `acceptance/src/upgrade/previous/tps-<version>.tar.gz`. Run it once per release, with the commit
 * of the release, and remove the file of the version before.
 */
const ROOT = join(import.meta.dirname, '../../..');
const TARGET = join(ROOT, 'acceptance/src/upgrade/previous');

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('Name the commit of a release: npm run previous-version -- COMMIT');

const folder = mkdtempSync(join(tmpdir(), 'tps-previous-'));
try {
  const version = await pack(commit, folder);
  process.stdout.write(`${join(TARGET, `tps-${version}.tar.gz`)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function pack(of: string, work: string): Promise<string> {
  const checkout = join(work, 'checkout');
  const output = join(work, 'output');
  mkdirSync(checkout);
  const archive = execFileSync('git', ['archive', of, 'packages', 'docs/openapi.json'], {
    cwd: ROOT,
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['--extract', '--directory', checkout], { input: archive });
  const server = join(checkout, 'packages/server');
  const { version, dependencies = {} } = JSON.parse(
    readFileSync(join(server, 'package.json'), 'utf8'),
  ) as Manifest;
  const bundled = installMissing(checkout, dependencies);
  await build({
    entryPoints: [join(server, 'src/main.ts')],
    outfile: join(output, 'server/src/app/main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['source'],
    preserveSymlinks: true,
    minifyWhitespace: true,
    minifySyntax: true,
    // Paths of modules are part of the bundle.
    absWorkingDir: checkout,
    legalComments: 'inline',
    banner: {
      js: "import{createRequire as toRequire}from'node:module';const require=toRequire(import.meta.url);",
    },
    plugins: [keepLibrariesOutside(bundled)],
  });
  // Where the program looks for them, counted from its own path.
  cpSync(join(server, 'package.json'), join(output, 'server/package.json'));
  cpSync(join(server, 'guidance'), join(output, 'guidance'), { recursive: true });
  cpSync(join(checkout, 'docs/openapi.json'), join(output, 'openapi.json'));
  mkdirSync(TARGET, { recursive: true });
  // The same commit gives the same bytes.
  const same = [
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=go=rX,u=rwX',
  ];
  execFileSync(
    'tar',
    [
      ...same,
      '--use-compress-program=gzip -9n',
      '--create',
      '--file',
      join(TARGET, `tps-${version}.tar.gz`),
      '.',
    ],
    { cwd: output },
  );
  return version;
}

/** Installs the libraries that this checkout no longer has. Returns their names, and those of what they need. */
function installMissing(checkout: string, dependencies: Readonly<Record<string, string>>): string[] {
  const modules = join(checkout, 'node_modules');
  const installed = new Set(readPackages(join(ROOT, 'node_modules')));
  const missing = Object.entries(dependencies).filter(
    ([name]) => !name.startsWith('@tps/') && !installed.has(name),
  );
  if (missing.length > 0) {
    const wanted = missing.map(([name, version]) => `${name}@${version}`);
    // Apart from the checkout, whose workspaces npm would install too.
    const extra = join(checkout, '../extra');
    mkdirSync(extra);
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], {
      cwd: extra,
    });
    cpSync(join(extra, 'node_modules'), modules, { recursive: true });
  }
  mkdirSync(join(modules, '@tps'), { recursive: true });
  const bundled = readPackages(modules);
  for (const name of readdirSync(join(checkout, 'packages')))
    symlinkSync(join(checkout, 'packages', name), join(modules, '@tps', name));
  return bundled;
}

/** The names of the packages in a folder `node_modules`. */
function readPackages(modules: string): string[] {
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@')
      ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`)
      : [name];
  });
}
