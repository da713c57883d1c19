import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMisplaced } from './find-misplaced.ts';
import { lintTarball } from './lint-tarball.ts';
import { PUBLISHED, packFolders, type Tarball } from './pack.ts';
import {
  bundleForBrowser,
  checkTypes,
  copyReadmeExamples,
  install,
  installedAt,
  runExample,
} from './try-installed.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tps-pack-'));

try {
  const folders = PUBLISHED.map((name) => join(root, 'packages', name));
  const tarballs = await packFolders(folders, directory);
  const problems = (await Promise.all([...tarballs.map(lint), tryOut(tarballs)])).flat();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write(`packed, installed and ran: ${tarballs.map(({ name }) => name).join(', ')}\n`);
} finally {
  rmSync(directory, { recursive: true });
}

async function lint({ path }: Tarball): Promise<string[]> {
  return reasonOf(() => lintTarball(root, path));
}

/** Installs the packages as their READMEs describe, checks the installed files, and runs the examples. */
async function tryOut(tarballs: readonly Tarball[]): Promise<string[]> {
  const folder = join(directory, 'application');
  const failure = await reasonOf(() => install(root, tarballs, folder));
  if (failure.length > 0) return failure;
  const problems = tarballs.flatMap((tarball) => {
    const place = installedAt(folder, tarball);
    return findMisplaced(place, { files: tarball.files, root }).map((one) => `${tarball.name}: ${one}`);
  });
  const examples = tarballs.flatMap((tarball) => copyReadmeExamples(folder, tarball));
  const failures = await Promise.all([
    reasonOf(() => checkTypes(root, folder, examples)),
    reasonOf(() => bundleForBrowser(root, folder)),
    ...examples.map((example) => reasonOf(() => runExample(example))),
  ]);
  return [...problems, ...failures.flat()];
}

async function reasonOf(work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
