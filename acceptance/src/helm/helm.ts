import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const INSTALLED = join(ROOT, 'node_modules/.cache/helm/helm');
const HELM = existsSync(INSTALLED) ? INSTALLED : 'helm';
export const CHART = join(ROOT, 'deploy/helm/tps');

/** Why Helm cannot be run here; undefined if it can. */
export const HELM_PROBLEM =
  spawnSync(HELM, ['version']).error === undefined
    ? undefined
    : 'helm is not installed (on Linux x64: npm run install:helm)';

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [member: string]: unknown;
}

/** Values of the chart. */
export type Values = Readonly<Record<string, unknown>>;

/** Runs Helm with values. Returns its exit code, and what it printed. */
export function runHelm(args: readonly string[], values: Values): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(HELM, [...args, '--values', '-'], {
    encoding: 'utf8',
    input: JSON.stringify(values),
    timeout: 60_000,
  });
  return { status, output: status === 0 ? stdout : `${stdout}${stderr}` };
}

/** Renders the chart as `helm install tps` would. @throws Error with the output of Helm when it refuses the values */
export function render(values: Values): Manifest[] {
  const { status, output } = runHelm(['template', 'tps', CHART], values);
  if (status !== 0) throw new Error(output);
  // Kubernetes reads YAML 1.1, in which 0440 is octal.
  const documents = parseAllDocuments(output, { version: '1.1' });
  return documents.map((document) => document.toJS() as Manifest);
}
