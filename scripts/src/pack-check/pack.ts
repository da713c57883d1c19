import { join } from 'node:path';
import { run } from './run.ts';

/** The packages that others install. */
const PUBLISHED = ['contract', 'detection', 'signatures', 'agent', 'client'] as const;

export interface Tarball {
  /** `@tps/client`. */
  readonly name: string;
  readonly path: string;
  readonly files: readonly string[];
}

type PackResult = { name: string; filename: string; files: { path: string }[] };

/** Packs every published package as `npm publish` would, into a separate directory. */
export async function packAll(root: string, directory: string): Promise<Tarball[]> {
  const workspaces = PUBLISHED.flatMap((name) => ['--workspace', `packages/${name}`]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory, ...workspaces];
  const packed = JSON.parse(await run('npm', args, { cwd: root })) as PackResult[];
  return packed.map(({ name, filename, files }) => ({
    name,
    path: join(directory, filename),
    files: files.map(({ path }) => path),
  }));
}
