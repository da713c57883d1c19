import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Component, isOwn } from './sbom.ts';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;
const RULE = '='.repeat(80);

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
}

/** Returns the licences and notices of all packages of others, as their licences require. @throws Error when one has no licence */
export function toNotices(root: string, components: readonly Component[]): string {
  const folders = findFolders(root);
  const sections = components
    .filter((one) => !isOwn(one))
    .map((component) => {
      const title = `${component.name} ${component.version}`;
      const folder = folders.get(title);
      if (folder === undefined) throw new Error(`${title} is in the SBOM and not in package-lock.json`);
      return `${RULE}\n${title} (${licenceOf(component)})\n${RULE}\n\n${readLicences(join(root, folder))}\n`;
    });
  return `This release contains the software below. Each part has its own licence.\n\n${sections.join('\n')}`;
}

/** The folder of each package in node_modules, by name and version. */
function findFolders(root: string): Map<string, string> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  return new Map(
    Object.entries(lock.packages).map(([path, { name, version }]) => [
      `${name ?? path.replace(/^.*node_modules\//, '')} ${version}`,
      path,
    ]),
  );
}

function licenceOf({ name, licenses = [] }: Component): string {
  const ids = licenses.flatMap(({ license, expression }) => license?.id ?? expression ?? []);
  if (ids.length === 0) throw new Error(`${name} names no licence`);
  return ids.join(', ');
}

function readLicences(folder: string): string {
  const files = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length > 0) return `${texts.join('\n\n')}\n`;
  // Some packages only name their licence.
  const { author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name?: string };
    repository?: string | { url?: string };
  };
  const by = typeof author === 'string' ? author : author?.name;
  const from = typeof repository === 'string' ? repository : repository?.url;
  return `The package has no licence file. Author: ${by ?? 'not named'}. Source: ${from ?? 'not named'}.\n`;
}
