import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stampVersion } from '../../../scripts/src/release/stamp-version.ts';
import { writeArchive } from '../../../scripts/src/release/write-archive.ts';
import { addNextMigration } from '../upgrade/next-version.ts';

/** Packs the folder of a release again under another version, with another migration, to upgrade to. */
export async function packNextRelease({
  work,
  version,
  next,
  out,
}: {
  readonly work: string;
  readonly version: string;
  readonly next: string;
  readonly out: string;
}): Promise<void> {
  mkdirSync(out);
  const folder = join(work, `tps-${next}`);
  cpSync(join(work, `tps-${version}`), folder, { recursive: true, verbatimSymlinks: true });
  const packages = join(folder, 'packages');
  for (const name of readdirSync(packages)) {
    if (name !== 'console') stampVersion(join(packages, name), next);
  }
  addNextMigration(join(packages, 'server'));
  const name = `tps-${next}-linux-x64.tar.gz`;
  // It is unpacked once: compressing it well would take longer.
  await writeArchive({ folder, path: join(out, name), epoch: 1_800_000_000, level: 1 });
  const sha256 = createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex');
  writeFileSync(join(out, 'SHA256SUMS'), `${sha256}  ${name}\n`);
}
