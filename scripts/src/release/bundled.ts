import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of others that the build put into the files of the console. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX. */
  readonly identifier: string;
  /** Of its licence file, if it has one. */
  readonly text?: string;
}

/** Reads the list that Vite writes beside the files of the console (`build.license`). */
export function readBundled(folder: string): BundledPackage[] {
  const path = join(folder, 'packages/console/dist/.vite/license.json');
  return JSON.parse(readFileSync(path, 'utf8')) as BundledPackage[];
}
