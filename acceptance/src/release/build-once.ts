import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildRelease } from '../../../scripts/src/release/build-release.ts';
import { readInstallPage } from './install-page.ts';
import { packNextRelease } from './next-release.ts';
import { ROOT } from './root.ts';

/** The release that all tests of this folder use. */
export interface BuiltRelease {
  readonly version: string;
  /** Its files, as an operator downloads them. */
  readonly out: string;
  /** The files of the version that docs/install.md upgrades to. */
  readonly nextOut: string;
  readonly next: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    release: BuiltRelease;
  }
}

/** Builds a release before the first test, and removes it after the last. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'tps-built-'));
  const out = join(folder, 'out');
  const { version, work } = await buildRelease({ root: ROOT, out });
  const next = nextVersion();
  const nextOut = join(folder, 'next');
  await packNextRelease({ work: join(work, 'x64'), version, next, out: nextOut });
  project.provide('release', { version, out, next, nextOut });
  return () => {
    for (const path of [folder, work]) rmSync(path, { recursive: true });
  };
}

/** The version in the section "Upgrade". */
function nextVersion(): string {
  const [commands = ''] = readInstallPage().get('Upgrade') ?? [];
  const version = /tps-(\d+\.\d+\.\d+)-linux-x64/.exec(commands)?.[1];
  if (version === undefined) throw new Error('docs/install.md names no version to upgrade to');
  return version;
}
