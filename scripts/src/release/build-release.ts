import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.ts';
import { ARCHITECTURES, type Architecture } from './architecture.ts';
import { packPackages } from './pack-packages.ts';
import { buildConsole, CHART, stageService } from './stage-service.ts';
import { writeArchive } from './write-archive.ts';

interface ReleaseFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Release {
  readonly version: string;
  readonly files: readonly ReleaseFile[];
  /** What the archives were made of, in a folder for each architecture. The caller removes it. */
  readonly work: string;
}

interface Build {
  readonly root: string;
  readonly out: string;
  readonly work: string;
  readonly version: string;
  readonly epoch: number;
}

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/;

/** A mistake in the call, which a message explains. */
export class ReleaseError extends Error {}

/** Builds all files of a release into the new directory `out`. @throws Error when a step fails or `out` exists */
export async function buildRelease({
  root,
  out,
  version = readVersion(root),
  report = () => {},
}: {
  readonly root: string;
  readonly out: string;
  readonly version?: string;
  /** Receives each step when it begins. */
  readonly report?: (step: string) => void;
}): Promise<Release> {
  if (!VERSION.test(version))
    throw new ReleaseError(`${version} is not a version such as 0.3.0 or 0.3.0-rc.1.`);
  if (existsSync(out)) throw new ReleaseError(`${out} exists. Name a new directory.`);
  const epoch = await readEpoch(root);
  mkdirSync(out, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'tps-release-'));
  try {
    await buildFiles({ root, out, work, version, epoch }, report);
  } catch (error) {
    for (const folder of [out, work]) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const files = readdirSync(out)
    .sort()
    .map((file) => describeFile(out, file));
  writeFileSync(join(out, 'SHA256SUMS'), files.map((file) => `${file.sha256}  ${file.name}\n`).join(''));
  return { version, files, work };
}

async function buildFiles(build: Build, report: (step: string) => void): Promise<void> {
  const { root, out, work, version, epoch } = build;
  report('Building the console');
  await buildConsole(root, join(work, 'console'));
  for (const architecture of ARCHITECTURES) {
    report(`Installing the dependencies for Linux ${architecture}, and packing the archive`);
    await packService(build, architecture);
  }
  report('Packing the chart and the packages for applications');
  // The name that Helm gives it.
  const chart = join(work, 'x64', `tps-${version}`, CHART);
  await writeArchive({ folder: chart, path: join(out, `tps-${version}.tgz`), epoch });
  await packPackages(build);
}

/** Packs the archive for one architecture, and puts its SBOM beside it. */
async function packService(build: Build, architecture: Architecture): Promise<void> {
  const { root, out, work, version, epoch } = build;
  const folder = join(work, architecture, `tps-${version}`);
  await stageService({ root, folder, console: join(work, 'console'), version, architecture, epoch });
  const name = `tps-${version}-linux-${architecture}`;
  cpSync(join(folder, 'sbom.cdx.json'), join(out, `${name}.cdx.json`));
  await writeArchive({ folder, path: join(out, `${name}.tar.gz`), epoch });
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
    throw new ReleaseError(`SOURCE_DATE_EPOCH is ${text}, not seconds.`);
  return epoch;
}

function describeFile(folder: string, name: string): ReleaseFile {
  const content = readFileSync(join(folder, name));
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
