import { createHash } from 'node:crypto';
import { run } from '../run.ts';
import { readBundled } from './bundled.ts';

/** A package in the release (CycloneDX). */
export interface Component {
  readonly name: string;
  readonly purl: string;
  readonly version: string;
  readonly author?: string;
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

/** Where the address of a package (purl) says that it is ours. */
const OWN = 'pkg:npm/%40tps/';

export function isOwn({ purl }: Component): boolean {
  return purl.startsWith(OWN);
}

/**
 * Lists every package in the folder of a release with its licence: npm reads those in node_modules, among them Node.js,
 * and the build of the console lists what it contains. Equal contents give equal documents.
 */
export async function describeContents(
  folder: string,
  { version, epoch }: { readonly version: string; readonly epoch: number },
): Promise<Sbom> {
  const sbom = JSON.parse(await run('npm', ['sbom', '--sbom-format=cyclonedx'], { cwd: folder })) as Sbom;
  const installed = sbom.components.map((one) => nameOwn(one, version));
  const known = new Set(installed.map(({ purl }) => purl));
  const bundled = readBundled(folder).map(({ name, version: of, identifier }) =>
    toComponent(name, of, identifier),
  );
  const components = [
    ...installed,
    toComponent('@tps/console', version, 'Apache-2.0'),
    ...bundled.filter(({ purl }) => !known.has(purl)),
  ].sort(compare);
  const component = {
    'bom-ref': sbom.metadata.component['bom-ref'],
    type: 'application',
    name: 'tps',
    version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
  };
  const metadata = { ...sbom.metadata, timestamp: new Date(epoch * 1000).toISOString(), component };
  const content = JSON.stringify([version, components]);
  return { ...sbom, serialNumber: toSerialNumber(content), metadata, components };
}

/** npm names our packages after their folders. */
function nameOwn(component: Component, version: string): Component {
  if (!isOwn(component)) return component;
  const name = `@tps/${component.name.replace(/^@tps\//, '')}`;
  return { ...component, name, version, purl: `${OWN}${name.slice('@tps/'.length)}@${version}` };
}

function toComponent(name: string, version: string, licence: string): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const described = { 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl };
  return { ...described, licenses: [{ license: { id: licence } }] } as Component;
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
