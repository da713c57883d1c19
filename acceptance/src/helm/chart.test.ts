import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLE_NAMES } from '@tps/server/command-line';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CHART, HELM_PROBLEM, type Manifest, render, runHelm, type Values } from './helm.ts';
import { findFaults } from './known-fields.ts';
import { REFUSED, VALUE_SETS } from './value-sets.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface LabelledObject {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
}
interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext: object;
}
interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly [Container];
}

const SETS: [string, Values][] = Object.entries(VALUE_SETS);
const LABELS = JSON.parse(readFileSync(join(import.meta.dirname, 'label-words.json'), 'utf8')) as {
  readonly recommended: readonly string[];
  readonly optional: readonly string[];
};
const readSchema = () => JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema;

/** A test that is skipped where Helm is missing, or fails if `REQUIRE_HELM` is 1. */
const withHelm = test.extend({
  helm: [
    async ({ skip }: { skip: (reason: string) => void }, use: (value: true) => Promise<void>) => {
      if (HELM_PROBLEM !== undefined && process.env.REQUIRE_HELM === '1') throw new Error(HELM_PROBLEM);
      if (HELM_PROBLEM !== undefined) skip(HELM_PROBLEM);
      await use(true);
    },
    { auto: true },
  ],
});

function find(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind);
  if (found === undefined) throw new Error(`the chart renders no ${kind}`);
  return found;
}

function podOf(manifests: readonly Manifest[]): PodSpec {
  const isStateful = manifests.some(({ kind }) => kind === 'StatefulSet');
  const { spec } = find(manifests, isStateful ? 'StatefulSet' : 'Deployment');
  return (spec as { template: { spec: PodSpec } }).template.spec;
}

describe('the Helm chart', () => {
  withHelm('passes helm lint', () => {
    const { status, output } = runHelm(['lint', '--strict', CHART], VALUE_SETS['everything switched on']);
    expect(output).toContain('0 chart(s) failed');
    expect(status).toBe(0);
  });

  withHelm('renders only members that Kubernetes knows, of the right types', () => {
    const manifests = SETS.flatMap(([, values]) => render(values));
    expect(new Set(manifests.map(({ kind }) => kind)).size).toBe(10);
    expect(findFaults(manifests)).toEqual([]);
    const service = find(manifests, 'Service');
    const wrong = { ...service, spec: { ...(service.spec as object), prot: 1, type: 2 } };
    expect(findFaults([wrong]).join('\n')).toMatch(/'prot' does not exist|type 'number'|Type '2'/i);
  });

  withHelm.for(SETS)('with %s labels each object as Helm recommends', ([, values]) => {
    const { recommended, optional } = LABELS;
    const manifests = render(values) as unknown as (LabelledObject & {
      spec?: { template?: LabelledObject };
    })[];
    const labelled = manifests.flatMap(({ spec: { template } = {}, ...manifest }) => [
      manifest,
      ...(template ? [template] : []),
    ]);
    expect(labelled.length).toBeGreaterThan(manifests.length);
    for (const { metadata } of labelled) {
      const names = Object.keys(metadata.labels);
      expect(names).toEqual(expect.arrayContaining([...recommended]));
      const shared = names.filter((name) => /^(?:app\.kubernetes\.io|helm\.sh)\//.test(name));
      expect([...recommended, ...optional]).toEqual(expect.arrayContaining(shared));
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'tps',
        'app.kubernetes.io/instance': 'tps',
        'app.kubernetes.io/managed-by': 'Helm',
        'helm.sh/chart': 'tps-0.0.0',
      });
    }
  });

  withHelm.for(SETS)('with %s runs without privileges, and secrets are files', ([, values]) => {
    const pod = podOf(render(values));
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const [container] = pod.containers;
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const contents = container.env.filter(({ name, value }) => !name.endsWith('_FILE') && value !== '');
    expect(contents).toEqual([]);
  });

  withHelm.for(SETS)('with %s sets only variables that the service has', ([, values]) => {
    const manifests = render(values);
    const { data } = find(manifests, 'ConfigMap') as unknown as { data: Record<string, string> };
    const names = [
      ...Object.keys(data),
      ...(podOf(manifests).containers[0].env ?? []).map(({ name }) => name),
    ];
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
  });

  withHelm('writes each setting as the service reads it', () => {
    const { settings } = VALUE_SETS['everything switched on'];
    const { data } = find(render(VALUE_SETS['everything switched on']), 'ConfigMap') as unknown as {
      data: object;
    };
    const written = Object.entries(settings).map(([name, value]) => [name, String(value)]);
    expect(data).toMatchObject(Object.fromEntries(written));
  });

  withHelm.for([...REFUSED])('refuses %s', ([, values, message]) => {
    expect(() => render(values)).toThrow(message);
  });

  withHelm('brings the alert rules, with the address of the runbook', () => {
    const rules = readFileSync(join(CHART, '../../prometheus/rules.yml'), 'utf8');
    const { runbookUrl } = VALUE_SETS['everything switched on'].metrics.rules;
    const { spec } = find(render(VALUE_SETS['everything switched on']), 'PrometheusRule');
    expect(spec).toEqual(parse(rules.replaceAll('docs/alerts.md#', `${runbookUrl}#`)));
  });

  test('describes every value', () => {
    const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as object;
    expect(findUndescribed(values, readSchema())).toEqual([]);
  });

  const secrets = VARIABLE_NAMES.filter((name) => VARIABLE_NAMES.includes(`${name}_FILE`));
  withHelm.for(secrets)('refuses the secret %s among the settings', (name) => {
    const values = VALUE_SETS['the embedded store'];
    expect(() => render({ ...values, settings: { [name]: '' } })).toThrow(`secret.files.${name}`);
  });

  withHelm('refuses each setting that it sets itself', () => {
    const { settings, ...values } = VALUE_SETS['everything switched on'];
    const data = (set: Values) => (find(render(set), 'ConfigMap') as unknown as { data: object }).data;
    const derived = Object.keys({ ...data(values), ...data(VALUE_SETS['the embedded store']) });
    expect(derived).toContain('SERVICE_BIND');
    for (const name of derived) {
      expect(() => render({ ...values, settings: { ...settings, [name]: '' } })).toThrow(`settings.${name}`);
      expect(readSchema().properties?.settings?.properties).not.toHaveProperty(name);
    }
  });
});

/** The paths of values that the schema does not describe. */
function findUndescribed(values: object, schema: Schema, path = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const property = schema.properties?.[name];
    const at = `${path}/${name}`;
    if (property?.description === undefined) return [at];
    return property.properties && isObject(value) ? findUndescribed(value, property, at) : [];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
