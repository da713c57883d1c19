/** The part of package-lock.json that is checked here. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  /** Only for a package that is installed under another name. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  /** The hash of the package. npm refuses a download that does not match it. */
  readonly integrity?: string;
  readonly engines?: unknown;
  readonly link?: boolean;
  readonly optional?: boolean;
  /** Part of the package that it is in. */
  readonly inBundle?: boolean;
}

/** A package that npm may download and could not verify. */
export interface PackageWithoutHash {
  readonly path: string;
  /** `name@version`, as npm takes it. */
  readonly spec: string;
}

/**
 * Returns the lock file without `engines`. npm compares them with the Node that runs npm. The project runs on the Node
 * that it installs, so those warnings would be wrong.
 */
export function trimEngines(lock: LockFile): LockFile {
  const packages = Object.entries(lock.packages).map(([path, { engines: _, ...entry }]) => [path, entry]);
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** Lists the packages without a hash: npm does not note one if its registry lacks the package at that time. */
export function listWithoutHash({ packages }: LockFile): PackageWithoutHash[] {
  return Object.entries(packages)
    .filter(([path, entry]) => isDownloaded(path, entry) && entry.integrity === undefined)
    .map(([path, { name = path.split('node_modules/').at(-1), version }]) => ({
      path,
      spec: `${name}@${version}`,
    }));
}

/**
 * Adds hashes by path. An optional package without one is left out, so that no registry can put anything in its place: npm
 * does not install it.
 */
export function completeHashes(lock: LockFile, hashes: ReadonlyMap<string, string>): LockFile {
  const missing = new Set(listWithoutHash(lock).map(({ path }) => path));
  const packages: Record<string, LockedPackage> = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    const integrity = hashes.get(path);
    if (!missing.has(path)) packages[path] = entry;
    else if (integrity !== undefined) packages[path] = withHash(entry, integrity);
    else if (!entry.optional) packages[path] = entry;
  }
  return { ...lock, packages };
}

/** The members in the order of npm. */
function withHash({ name, version, ...rest }: LockedPackage, integrity: string): LockedPackage {
  return {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    integrity,
    ...rest,
  };
}

/**
 * Reports `engines`, download addresses, which would tie the project to one registry, and packages without a hash, which
 * a registry could replace.
 */
export function findProblems(lock: LockFile): string[] {
  const withoutHash = new Set(listWithoutHash(lock).map(({ path }) => path));
  return Object.entries(lock.packages).flatMap(([path, entry]) => [
    ...(entry.engines === undefined ? [] : [`${path || 'the root package'} has engines`]),
    ...(entry.resolved === undefined || entry.link ? [] : [`${path} has a download address`]),
    ...(withoutHash.has(path) ? [`${path} has no integrity`] : []),
  ]);
}

/** Whether npm downloads the package, on any platform. Packages outside node_modules are our own. */
function isDownloaded(path: string, { link, inBundle }: LockedPackage): boolean {
  return !link && !inBundle && path.includes('node_modules/');
}
