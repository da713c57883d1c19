import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '@tps/testing/fixture';
import { spawnProgram, spawnService, sqliteEnv } from '@tps/testing/process';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the README has at most 120 lines, begins with the two commands, and names the version', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  const [, first] = /^```sh\n([\s\S]*?)^```$/m.exec(README) ?? [];
  expect(first).toMatch(/^npm ci && npm start .*\nnpm ci && npm test .*\n$/);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(README).toContain(`This is version ${version.replace(/\.0$/, '')}.`);
});

test('every TypeScript example of the README prints what its comments say', async () => {
  const folder = newFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const service = await spawnService({ env: sqliteEnv(join(folder, 'service.db')) });
  const { admin, tenantId } = service.credentials();
  const env = { TPS_URL: service.baseUrl, TPS_TENANT: tenantId, TPS_CREDENTIAL: admin };
  const examples = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(examples.length).toBe(2);

  for (const [index, code] of examples.entries()) {
    const program = join(folder, `example-${index}.ts`);
    writeFileSync(program, code);
    const { code: exitCode, output } = await spawnProgram({ program, env, cwd: folder }).ended;
    const [, expected = ''] = /console\.log\(.*\); \/\/ (.*)$/m.exec(code) ?? [];
    expect(output, code).toMatch(toPattern(expected));
    expect(exitCode).toBe(0);
  }
});

test('the demo prints what the README shows, in this order', async () => {
  const [, shown = ''] = /^```\n( {2}answers [\s\S]*?)^```$/m.exec(README) ?? [];
  const expected = shown.trimEnd().split('\n');
  expect(expected.length).toBeGreaterThan(5);
  const program = join(ROOT, 'demo/src/main.ts');
  const { code, output } = await spawnProgram({ program, args: ['--speed', '5'] }).ended;
  expect(output).toContain('Checked');
  expect(code).toBe(0);
  const printed = output.split('\n').map((line) => line.replace(/ in \d+\.\d s$/, ' in 0.0 s'));
  const places = expected.map((line) => {
    const pattern = toPattern(line.replace(/ in \d+\.\d s$/, ' in 0.0 s'));
    return { line, at: printed.findIndex((text) => pattern.test(`${text}\n`)) };
  });
  expect(places.filter(({ at }) => at === -1)).toEqual([]);
  expect(places.map(({ at }) => at)).toEqual(places.map(({ at }) => at).sort((a, b) => a - b));
});

/** The text, where `…` stands for anything. */
function toPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}\n$`);
}
