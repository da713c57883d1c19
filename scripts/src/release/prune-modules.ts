import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Architecture } from './architecture.ts';

/** What no program reads while it runs: source maps, declarations of types, sources of addons. */
const UNREAD = /\.(?:[cm]?[jt]s|css)\.map$|\.d\.[cm]?ts$|\.(?:c|cc|cpp|h|gyp|gypi|tsbuildinfo)$/;
/** Of the package with Node.js, the release uses the program and its licence. */
const RUNTIME_EXTRAS = /(?:^|\/)node-linux-\w+\/(?:include|share|README\.md|CHANGELOG\.md)$/;
/** Links to programs of packages, for npm scripts. */
const PROGRAMS = /(?:^|\/)node_modules\/\.bin$/;
/** An addon for one platform, such as prebuilds/linux-x64.node and prebuilds/linux-x64/node.napi.node. */
const PREBUILD = /\/prebuilds\/([^/]+)$/;

/** Removes from the installed packages what a service on this platform does not read. */
export function pruneModules(folder: string, architecture: Architecture): void {
  const native = new RegExp(`^linux-${architecture}(?:\\.node)?$`);
  const isUseless = (path: string) => {
    const [, platform] = PREBUILD.exec(path) ?? [];
    if (!/(?:^|\/)node_modules\//.test(path)) return false;
    return (
      [UNREAD, PROGRAMS, RUNTIME_EXTRAS].some((one) => one.test(path)) ||
      (platform !== undefined && !native.test(platform))
    );
  };
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (isUseless(relative(folder, path))) rmSync(path, { recursive: true, force: true });
  }
}
