import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { detectFormat, importIndicators } from './import-indicators.ts';

/** A folder of real public lists, if the machine has one. They are not part of the project. */
const folder = join(process.env.TPS_SCAN_DATA ?? '', 'indicators');

describe.skipIf(process.env.TPS_SCAN_DATA === undefined || !existsSync(folder))('the real files', () => {
  const read = (name: string, bytes: Uint8Array) => {
    const format = detectFormat(name, bytes);
    if (format === undefined) throw new Error(`${name} has no known format`);
    return { format, ...importIndicators(bytes, { format, source: 'real' }) };
  };
  const count = (type: string, { indicators }: { indicators: readonly { type: string }[] }) =>
    indicators.filter((indicator) => indicator.type === type).length;
  const file = (name: string) => readFileSync(join(folder, 'stalkerware', name));

  test('of stalkerware-indicators give the stated number of values, each once', () => {
    const imported = read('ioc.yaml', file('ioc.yaml'));
    expect([count('package', imported), count('certificate', imported)]).toEqual([613, 471]);
    expect(imported.skippedCount).toBe(0);
    expect(count('package', read('watchware.yaml', file('watchware.yaml')))).toBe(36);
    expect(count('sha256', read('samples.csv', file('samples.csv')))).toBe(3228);
    expect(read('network.csv', file('network.csv')).skippedCount).toBe(0);
    const misp = read('misp.json', gunzipSync(file('misp_event.json.gz')));
    expect([misp.format, count('sha256', misp), misp.skippedCount]).toEqual(['misp', 3228, 0]);
  });

  test('of the Mobile Verification Toolkit give all supported values', () => {
    const tar = gunzipSync(readFileSync(join(folder, 'mvt-indicators.tar.gz')));
    const bundles = filesIn(tar).filter(({ name }) => name.endsWith('.stix2'));
    const imported = bundles.map(({ name, bytes }) => read(name, bytes));
    expect(imported.map(({ format }) => format)).toEqual(bundles.map(() => 'stix'));
    expect(imported.flatMap(({ indicators }) => indicators)).toHaveLength(1335);
    const reasons = new Set(imported.flatMap(({ skipped }) => skipped.map(({ why }) => why)));
    expect(reasons.size).toBe(3);
  });

  test('of LOLRMM are all dual-use', () => {
    const [archive = ''] = readdirSync(join(folder, 'lolrmm'));
    const tools = filesIn(gunzipSync(readFileSync(join(folder, 'lolrmm', archive))));
    const yaml = tools.filter(({ name }) => /\.ya?ml$/.test(name));
    const joined = Buffer.from(yaml.map(({ bytes }) => bytes.toString()).join('\n---\n'));
    const { indicators, format } = read('all.yaml', joined);
    expect(format).toBe('lolrmm');
    expect(indicators.length).toBeGreaterThan(600);
    expect(indicators.every(({ dualUse }) => dualUse)).toBe(true);
  });
});

/** The files of a tar archive in its oldest form. */
function filesIn(tar: Buffer): { name: string; bytes: Buffer }[] {
  const files: { name: string; bytes: Buffer }[] = [];
  for (let at = 0; tar[at] !== undefined && tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    files.push({ name, bytes: tar.subarray(at + 512, at + 512 + size) });
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return files;
}
