import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that a package must not contain: of tests and builds, and pages for contributors. */
const UNWANTED = /\.test\.|(^|\/)testing\/|\.tsbuildinfo|\.tgz$|^src\/.*\.md$/;
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const PACKAGE_IMPORT =
  /^(?:import|export)\s[^'";]*?from '((?:@[^/']+\/)?[^./'][^/']*)[^']*'|import\('((?:@[^/']+\/)?[^./'][^/']*)[^']*'\)/gm;
const SOURCE_MAP = /^\/\/# sourceMappingURL=(?!data:)(\S+)\s*$/m;

/**
 * Looks through an unpacked package for what is there and should not be, and for what is named there and is not.
 * Gives what is wrong, in words.
 */
export function findMisplaced(
  directory: string,
  { files, root }: { files: readonly string[]; root: string },
): string[] {
  return [
    ...['README.md', 'LICENSE'].filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...(isSame(join(directory, 'LICENSE'), join(root, 'LICENSE'))
      ? []
      : ['LICENSE is another than that of the repository']),
    ...files.flatMap((file) => {
      if (UNWANTED.test(file)) return [`${file} has no business here`];
      return findInFile(file, { directory, root });
    }),
  ];
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && readFileSync(one, 'utf8') === readFileSync(other, 'utf8');
}

function findInFile(file: string, { directory, root }: { directory: string; root: string }): string[] {
  const text = readFileSync(join(directory, file), 'utf8');
  const at = (target: string) =>
    // A declaration names the source; TypeScript reads the declaration beside it.
    [target, ...(file.endsWith('.d.ts') ? [target.replace(/\.ts$/, '.d.ts')] : [])].some((path) =>
      existsSync(join(directory, dirname(file), path)),
    );
  const named = [
    ...[...text.matchAll(RELATIVE_IMPORT)].map(([, target = '']) => target),
    ...[SOURCE_MAP.exec(text)?.[1] ?? []].flat(),
    ...(file.endsWith('.map') ? (JSON.parse(text) as { sources: string[] }).sources : []),
  ];
  const strangers = /\.(js|d\.ts)$/.test(file) ? findStrangers(text, directory) : [];
  if (/^dist\/.*\.js$/.test(file) && !at(toSource(file)))
    return [`${file} was built from a source that is gone; remove dist and build again`];
  return [
    ...strangers.map((name) => `${file} imports ${name}, which the package does not depend on`),
    ...(text.includes(root) ? [`${file} names the directory it was built in`] : []),
    ...(/\.(m?[jt]s|map)$/.test(file) ? named : [])
      .filter((target) => !at(target))
      .map((target) => `${file} names ${target}, which is not in the package`),
  ];
}

/**
 * Lists the packages that are imported without being depended on. They may be there all the same, where it was built. Also
 * lists a `#name`, unless package.json says which files it stands for.
 */
function findStrangers(text: string, directory: string): string[] {
  const { dependencies = {}, imports = {} } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  ) as { dependencies?: object; imports?: object };
  return [...text.matchAll(PACKAGE_IMPORT)]
    .map(([, fromName, importName]) => fromName ?? importName ?? '')
    .filter((name) => !name.startsWith('node:') && !(name in dependencies) && !(name in imports));
}

/** The path of the source, relative to the built file. */
function toSource(file: string): string {
  const up = '../'.repeat(file.split('/').length - 1);
  return `${up}${file.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts')}`;
}
