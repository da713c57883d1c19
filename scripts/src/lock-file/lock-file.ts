/** The part of package-lock.json that is checked here. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly engines?: unknown;
  readonly link?: boolean;
}

/**
 * Returns the lock file without `engines`. npm compares them with the Node that runs npm. The project runs on the Node
 * that it installs, so those warnings would be wrong.
 */
export function trimEngines(lock: LockFile): LockFile {
  const packages = Object.entries(lock.packages).map(([path, { engines: _, ...entry }]) => [path, entry]);
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** Reports `engines`, and download addresses, which would tie the project to one registry. */
export function findProblems({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, { engines, resolved, link }]) => [
    ...(engines === undefined ? [] : [`${path || 'the root package'} has engines`]),
    ...(resolved === undefined || link ? [] : [`${path} has a download address`]),
  ]);
}
