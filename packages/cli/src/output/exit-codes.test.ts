import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';

test('the documentation lists exactly these exit codes', () => {
  const page = readFileSync(new URL('../../../../docs/command-line.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Exit codes');
  const documented = [...section.matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code));
  expect(documented).toEqual(Object.values(EXIT));
});
