import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import type { Manifest } from './helm.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/@typescript/native/bin/tsc');

/** Where the types of our kinds are, by apiVersion. They are generated from the APIs of Kubernetes and of the Prometheus operator. */
const TYPES: Readonly<Record<string, string>> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

/**
 * Compares manifests with the types of Kubernetes, strictly: the compiler reports an unknown member of a literal, a missing one
 * and one of another type. Returns its messages.
 */
export function findFaults(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const from = TYPES[apiVersion];
    if (from === undefined) throw new Error(`${kind}: no types are known for ${apiVersion}`);
    return `export const m${index}: import('${from}/${kind}').I${kind} = ${JSON.stringify(manifest)};`;
  });
  const folder = newFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve'];
  try {
    execFileSync(process.execPath, [TSC, ...options, join(folder, 'manifests.ts')], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.trim().split('\n');
  }
}
