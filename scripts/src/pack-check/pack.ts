import { join } from 'node:path';
import { run } from '../run.ts';

/** The packages that applications install. */
export const PUBLISHED = ['contract', 'detection', 'signatures', 'agent', 'client'] as const;

export interface Tarball {
  /** `@tps/client`. */
  readonly name: string;
  readonly path: string;
  readonly files: readonly string[];
}

type PackResult = { name: string; filename: string; files: { path: string }[] };

/** Packs each folder, which contains a package, into `directory`. */
export async function packFolders(folders: readonly string[], directory: string): Promise<Tarball[]> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory, ...folders];
  const packed = JSON.parse(await run('npm', args, { cwd: directory })) as PackResult[];
  return packed.map(({ name, filename, files }) => ({
    name,
    path: join(directory, filename),
    files: files.map(({ path }) => path),
  }));
}
