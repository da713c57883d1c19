import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('each module of the Basic OP plan has a test of ours, or a reason why not', () => {
  const page = read('acceptance/src/oauth/README.md');
  const source = read('acceptance/src/oauth/openid-basic.test.ts');
  const rows = [...page.matchAll(/^\| `(oidcc-[\w-]+)` +\| (.+?) *\|$/gm)];
  expect(new Set(rows.map(([, module]) => module)).size).toBe(38);
  for (const [, module, cell = ''] of rows) {
    const [, text = '', note] = /^(.*?)(?: \[(\d)\])?$/.exec(cell) ?? [];
    if (note !== undefined) expect(page, module).toMatch(new RegExp(`^${note}\\. `, 'm'));
    if (text === 'does not apply') expect(note, module).toBeDefined();
    else expect(source, module).toContain(`'${text}`);
  }
});
