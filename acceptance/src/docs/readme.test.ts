import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '@tps/testing/fixture';
import { spawnProgram, spawnService, sqliteEnv } from '@tps/testing/process';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the README has at most 150 lines', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
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

/** The text, where `…` stands for anything. */
function toPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}\n$`);
}
