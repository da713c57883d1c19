import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.ts';
import { packPackages } from './pack-packages.ts';
import { createSbom } from './sbom.ts';
import { CHART, stageService } from './stage-service.ts';
import { toNotices } from './third-party-notices.ts';
import { writeArchive } from './write-archive.ts';

interface ReleaseFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Release {
  readonly version: string;
  readonly files: readonly ReleaseFile[];
  /** What the archive was made of. The caller removes it. */
  readonly work: string;
}

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/;

/** Builds all files of a release into the new directory `out`. @throws Error when a step fails or `out` exists */
export async function buildRelease({
  root,
  out,
  version = readVersion(root),
}: {
  readonly root: string;
  readonly out: string;
  readonly version?: string;
}): Promise<Release> {
  if (!VERSION.test(version)) throw new Error(`${version} is not a version such as 0.3.0 or 0.3.0-rc.1`);
  mkdirSync(out);
  const work = mkdtempSync(join(tmpdir(), 'tps-release-'));
  const epoch = await readEpoch(root);
  const name = `tps-${version}`;
  const folder = join(work, name);
  const sbom = await createSbom(root, { version, epoch });
  const sbomText = `${JSON.stringify(sbom, undefined, 2)}\n`;
  await Promise.all([
    stageService({ root, folder, version }).then(() => {
      writeFileSync(join(folder, 'THIRD_PARTY_NOTICES.txt'), toNotices(root, sbom.components));
      writeFileSync(join(folder, 'sbom.cdx.json'), sbomText);
      return Promise.all([
        writeArchive({ folder, path: join(out, `${name}-linux-x64.tar.gz`), epoch }),
        // The name that Helm gives it.
        writeArchive({ folder: join(folder, CHART), path: join(out, `${name}.tgz`), epoch }),
      ]);
    }),
    packPackages({ root, work, out, version }),
  ]);
  writeFileSync(join(out, `${name}.cdx.json`), sbomText);
  const files = readdirSync(out)
    .sort()
    .map((file) => describeFile(out, file));
  writeFileSync(join(out, 'SHA256SUMS'), files.map((file) => `${file.sha256}  ${file.name}\n`).join(''));
  return { version, files, work };
}

function readVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** The time that all files carry: SOURCE_DATE_EPOCH (reproducible-builds.org), or that of the last commit. */
async function readEpoch(root: string): Promise<number> {
  const given = process.env.SOURCE_DATE_EPOCH;
  const text = given ?? (await run('git', ['log', '-1', '--format=%ct'], { cwd: root }));
  const epoch = Number(text);
  if (!Number.isSafeInteger(epoch) || epoch <= 0)
    throw new Error(`SOURCE_DATE_EPOCH is ${text}, not seconds`);
  return epoch;
}

function describeFile(folder: string, name: string): ReleaseFile {
  const content = readFileSync(join(folder, name));
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
