import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { HELM_PROBLEM, runHelm } from '../helm/helm.ts';
import { VALUE_SETS } from '../helm/value-sets.ts';

test('Helm installs the chart of a release, with its version and the alert rules', ({ skip }) => {
  if (HELM_PROBLEM !== undefined && process.env.REQUIRE_HELM === '1') throw new Error(HELM_PROBLEM);
  if (HELM_PROBLEM !== undefined) skip(HELM_PROBLEM);
  const { version, out } = inject('release');
  const { image: _, ...values } = VALUE_SETS['everything switched on'];
  const image = { repository: 'registry.example/tps' };
  const { status, output } = runHelm(['template', 'tps', join(out, `tps-${version}.tgz`)], {
    ...values,
    image,
  });
  expect(output).toContain(`image: "registry.example/tps:${version}"`);
  // Helm names the archive of a chart like this.
  expect(output).toContain(`helm.sh/chart: tps-${version}\n`);
  expect(output).toContain('alert: TpsDown');
  expect(status).toBe(0);
});
