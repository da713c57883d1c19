import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { PUBLISHED } from '../../../scripts/src/pack-check/pack.ts';
import { ARCHITECTURES } from '../../../scripts/src/release/architecture.ts';
import { findBrokenLinks, findPages } from '../docs/links.ts';
import { ROOT } from './root.ts';

interface Package {
  readonly name: string;
  readonly version: string;
}
/** `e_machine` of an ELF file. */
const MACHINES = { x64: 62, arm64: 183 };
/** ELF, PE, and the forms of Mach-O. */
const BINARY = /^(?:7f454c46|4d5a|cffaedfe|cefaedfe|cafebabe)/;

describe.for(ARCHITECTURES)('the archive for %s', (architecture) => {
  const { version, out } = inject('release');
  const unpacked = mkdtempSync(join(tmpdir(), 'tps-contents-'));
  const folder = join(unpacked, `tps-${version}`);
  beforeAll(() => {
    const archive = join(out, `tps-${version}-linux-${architecture}.tar.gz`);
    execFileSync('tar', ['-xzf', archive, '-C', unpacked]);
  });
  afterAll(() => rmSync(unpacked, { recursive: true }));

  test('lists in SBOM and notices exactly the packages that it contains', () => {
    const bundled = readJson<Package[]>('packages/console/dist/.vite/license.json');
    expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', '@mantine/core']));
    const workspaces = readdirSync(join(folder, 'packages')).map((name) => join(folder, 'packages', name));
    const installed = [folder, ...workspaces].flatMap((path) => findInstalled(join(path, 'node_modules')));
    expect(installed).toContainEqual(expect.stringMatching(/^fastify \d/));
    const contained = [...new Set([...installed, ...bundled.map(toTitle)])].sort();

    const own = readdirSync(join(folder, 'packages')).map((name) => `@tps/${name} ${version}`);
    const { components } = readJson<{ components: Package[] }>('sbom.cdx.json');
    expect(components.map(toTitle).sort()).toEqual([...contained, ...own].sort());

    const notices = readFileSync(join(folder, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    const sections = [
      ...notices.matchAll(/^={80}\n(.+) \([^\n]+\)\n={80}\n([\s\S]*?)(?=^={80}$|(?![\s\S]))/gm),
    ];
    expect(sections.map(([, title]) => title).sort()).toEqual(contained);
    const withoutText = sections.filter(([, , text = '']) => text.trim().length < 200);
    expect(withoutText.map(([, title]) => title)).toEqual([]);
  });

  test('has every page, example and file of the API, and no link is broken', () => {
    const tracked = execFileSync('git', ['ls-files', 'docs', 'examples', 'README.md', 'SECURITY.md'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const files = tracked.trim().split('\n');
    expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/openapi.json']));
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
    expect(findBrokenLinks(folder, findPages(folder))).toEqual([]);
  });

  test('has no source maps, and no binaries for other platforms', () => {
    const files = findFiles(folder);
    expect(files.filter((file) => /\.(?:js|ts|css)\.map$/.test(file))).toEqual([]);
    const binaries = files.filter((file) => BINARY.test(readHead(join(folder, file)).toString('hex')));
    expect(binaries).toEqual(
      expect.arrayContaining([expect.stringMatching(/bin\/node$/), expect.stringMatching(/\.node$/)]),
    );
    const foreign = binaries.filter((file) => {
      const head = readHead(join(folder, file));
      return head.readUInt16LE(18) !== MACHINES[architecture] || /musl/.test(file);
    });
    expect(foreign).toEqual([]);
  });

  function readJson<Content>(file: string): Content {
    return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Content;
  }
});

test('docs/install.md lists the files of a release, and installs the chart by its name', () => {
  const { out } = inject('release');
  const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].flatMap(([, file = '']) =>
    file.includes('-NAME-') ? PUBLISHED.map((name) => file.replace('NAME', name)) : [file],
  );
  expect(listed.sort()).toEqual(readdirSync(out).sort());
  const [, chart] = /^helm install tps (\S+)/m.exec(page) ?? [];
  expect(listed).toContain(chart);
});

test('each page with a command for applications selects their packages, and no chart', () => {
  const { version, out } = inject('release');
  const pages = ['docs/install.md', ...PUBLISHED.map((name) => `packages/${name}/README.md`)];
  for (const page of pages) {
    const [, files] = /^npm install (\S+)$/m.exec(readFileSync(join(ROOT, page), 'utf8')) ?? [];
    const names = execFileSync('sh', ['-c', `ls ${files}`], { cwd: out, encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(names, page).toEqual(PUBLISHED.map((name) => `./tps-${name}-${version}.tgz`).sort());
  }
});

function toTitle({ name, version }: Package): string {
  return `${name} ${version}`;
}

/** Name and version of each package of others in a node_modules folder, and in those of its packages. */
function findInstalled(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const folders = readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const path = join(modules, entry.name);
    return entry.name.startsWith('@') ? listFolders(path) : [path];
  });
  return folders.flatMap((folder) => {
    const nested = join(folder, 'node_modules');
    const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
    return [toTitle(found), ...findInstalled(nested)];
  });
}

function listFolders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));
}

function findFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  const head = Buffer.alloc(20);
  readSync(file, head);
  closeSync(file);
  return head;
}
