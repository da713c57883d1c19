import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** What a file takes from another one. No name stands for all that the other file exports. */
interface Taken {
  readonly file: string;
  readonly name?: string;
  /** Under which name a file passes it on. No name stands for all. */
  readonly exportedAs?: string;
}

/**
 * Returns whether a file imports another one, directly or through other files. Both are relative to the root. Types do not
 * count, and of an index only what is imported by name.
 */
export function createImportSearch(root: string): (file: string, wanted: string) => boolean {
  const taken = new Map<string, readonly Taken[]>();
  const answers = new Map<string, boolean>();

  function read(file: string): readonly Taken[] {
    const known = taken.get(file);
    if (known) return known;
    const list = readTaken(file, readFileSync(join(root, file), 'utf8'));
    taken.set(file, list);
    return list;
  }

  function search(wanted: string, { file, name }: Taken): boolean {
    if (file === wanted) return true;
    const key = [wanted, file, name].join(' ');
    const known = answers.get(key);
    if (known !== undefined) return known;
    // A file that is being searched has been reached already.
    answers.set(key, false);
    const isIndex = basename(file) === 'index.ts' && name !== undefined;
    const answer = read(file).some(
      (next) =>
        (!isIndex || next.exportedAs === undefined || next.exportedAs === name) && search(wanted, next),
    );
    answers.set(key, answer);
    return answer;
  }
  return (file, wanted) => search(wanted, { file });
}

/** Returns what the code imports and passes on. Of the packages, only the one of the tests knows tests. */
function readTaken(file: string, code: string): Taken[] {
  const { module } = parseSync(file, code);
  const list: Taken[] = [];
  const add = (specifier: string, rest: Omit<Taken, 'file'>) => {
    const target = resolve(file, specifier);
    if (target) list.push({ file: target, ...rest });
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    if (entries.length === 0) add(moduleRequest.value, {});
    for (const { importName, isType } of entries) {
      if (!isType) add(moduleRequest.value, named('name', importName.name));
    }
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      if (!moduleRequest || isType) continue;
      add(moduleRequest.value, {
        ...named('name', importName.name),
        ...named('exportedAs', exportName.name),
      });
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    add(code.slice(moduleRequest.start + 1, moduleRequest.end - 1), {});
  }
  return list;
}

function named<Key extends 'name' | 'exportedAs'>(key: Key, name: string | null): { [key in Key]?: string } {
  return name === null ? {} : ({ [key]: name } as { [key in Key]: string });
}

/** Returns the file of this repository that an import leads to, relative to the root, unless it is of another package. */
function resolve(file: string, specifier: string): string | undefined {
  if (/^\.{1,2}\/.*\.tsx?$/.test(specifier)) return join(dirname(file), specifier);
  const testing = /^@tps\/testing\/(.+)$/.exec(specifier)?.[1];
  return testing && `packages/testing/src/${testing}/index.ts`;
}
