import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED, packFolders } from '../pack-check/pack.ts';
import { run } from '../run.ts';
import { copyTracked } from './copy-tracked.ts';
import { stampVersion } from './stamp-version.ts';

/** Compiles the packages that applications install, and packs them into `out`. */
export async function packPackages({
  root,
  work,
  out,
  version,
}: {
  readonly root: string;
  readonly work: string;
  readonly out: string;
  readonly version: string;
}): Promise<void> {
  const folders = PUBLISHED.map((name) => `packages/${name}`);
  // The compiler leaves what it wrote for a source that is gone.
  for (const folder of folders) rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  await run('npm', ['run', '--silent', 'build'], { cwd: root });
  const copies = join(work, 'npm');
  mkdirSync(copies);
  await copyTracked(root, copies, folders);
  for (const folder of folders) {
    cpSync(join(root, folder, 'dist'), join(copies, folder, 'dist'), { recursive: true });
    stampVersion(join(copies, folder), version);
  }
  // npm packs the permissions that the checkout has, which depend on the umask.
  await run('chmod', ['-R', 'u=rwX,go=rX', copies], { cwd: work });
  await packFolders(
    folders.map((folder) => join(copies, folder)),
    out,
  );
}
