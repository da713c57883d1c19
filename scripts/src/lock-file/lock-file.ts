/** The part of package-lock.json that is checked here. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  /** The hash of the package. npm refuses a download that does not match it. */
  readonly integrity?: string;
  readonly engines?: unknown;
  readonly link?: boolean;
  /** Part of the package that it is in. */
  readonly inBundle?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Optional, and missing from the registry that the lock file is made with: npm skips it. */
const NOT_IN_REGISTRY = 'node_modules/@cbor-extract/cbor-extract-linux-x64';

/** The platform of CI, of which every package must have a hash. Registries do not have the packages of all others. */
const CI = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/**
 * Returns the lock file without `engines`. npm compares them with the Node that runs npm. The project runs on the Node
 * that it installs, so those warnings would be wrong.
 */
export function trimEngines(lock: LockFile): LockFile {
  const packages = Object.entries(lock.packages).map(([path, { engines: _, ...entry }]) => [path, entry]);
  return { ...lock, packages: Object.fromEntries(packages) };
}

/**
 * Reports `engines`, download addresses, which would tie the project to one registry, and packages without a hash, which
 * a registry could replace.
 */
export function findProblems({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...(entry.engines === undefined ? [] : [`${path || 'the root package'} has engines`]),
    ...(entry.resolved === undefined || entry.link ? [] : [`${path} has a download address`]),
    ...(entry.integrity === undefined && isDownloaded(path, entry) ? [`${path} has no integrity`] : []),
  ]);
}

/** Whether npm downloads the package in CI. Packages outside node_modules are our own. */
function isDownloaded(path: string, { link, inBundle, os, cpu, libc }: LockedPackage): boolean {
  if (link || inBundle || !path.includes('node_modules/') || path === NOT_IN_REGISTRY) return false;
  return allows(os, CI.os) && allows(cpu, CI.cpu) && allows(libc, CI.libc);
}

/** A list names the allowed values, or with `!` those that are not. */
function allows(list: readonly string[] | undefined, value: string): boolean {
  if (list === undefined) return true;
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((one) => one.startsWith('!'));
}
