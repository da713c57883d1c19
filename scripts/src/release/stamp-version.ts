import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Writes the version of the release into the manifest of a package, and into what it needs of our other packages. */
export function stampVersion(folder: string, version: string): void {
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(
    ([name, range]) => [name, name.startsWith('@tps/') ? version : range] as const,
  );
  // What only the repository needs is neither in the archive nor in the packages.
  const { devDependencies: _, ...published } = manifest;
  const stamped = { ...published, version, dependencies: Object.fromEntries(dependencies) };
  writeFileSync(path, `${JSON.stringify(stamped, undefined, 2)}\n`);
}

/** Writes the version into a Helm chart: its own, and that of the image which it installs. */
export function stampChart(folder: string, version: string): void {
  const path = join(folder, 'Chart.yaml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
}
