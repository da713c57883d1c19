import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import licences from 'spdx-license-list/full.js';
import { run } from '../run.ts';
import { readBundled } from './bundled.ts';
import { type Component, isOwn } from './sbom.ts';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;
const RULE = '='.repeat(80);

/** Returns the licences and notices of all packages of others, as their licences require. @throws Error when one has no licence */
export async function toNotices(folder: string, components: readonly Component[]): Promise<string> {
  const bundled = new Map(readBundled(folder).map((one) => [`${one.name} ${one.version}`, one.text]));
  const folders = await findFolders(folder);
  const sections = components
    .filter((one) => !isOwn(one))
    .map((component) => {
      const title = `${component.name} ${component.version}`;
      const installed = folders.get(title);
      const text =
        (installed === undefined ? bundled.get(title) : readLicences(installed)) ?? toStandardText(component);
      return `${RULE}\n${title} (${licenceOf(component)})\n${RULE}\n\n${text.trim()}\n\n`;
    });
  return `This release contains the software below. Each part has its own licence.\n\n${sections.join('\n')}`;
}

/** The folder of each installed package, by name and version. */
async function findFolders(folder: string): Promise<Map<string, string>> {
  const found = JSON.parse(await run('npm', ['query', '*'], { cwd: folder })) as {
    readonly name: string;
    readonly version: string;
    readonly path: string;
  }[];
  return new Map(found.map(({ name, version, path }) => [`${name} ${version}`, path]));
}

function licenceOf({ name, licenses = [] }: Component): string {
  const ids = licenses.flatMap(({ license, expression }) => license?.id ?? expression ?? []);
  if (ids.length === 0) throw new Error(`${name} names no licence`);
  return ids.join(', ');
}

function readLicences(folder: string): string | undefined {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** Some packages only name their licence: its text is that of SPDX, with the authors as the holders of the copyright. */
function toStandardText(component: Component): string {
  const id = licenceOf(component);
  const text = licences[id]?.licenseText;
  if (text === undefined) throw new Error(`${component.name} has no licence file, and SPDX no text of ${id}`);
  const holder = component.author ?? `the authors of ${component.name}`;
  return text.replaceAll(/<year> ?/g, '').replaceAll(/<(?:copyright holders?|owner)>/g, holder);
}
