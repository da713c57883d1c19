import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';

test('each exit code stands in the page that programs are written by, and no other', () => {
  const page = readFileSync(new URL('../../../../docs/command-line.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Exit codes');
  const documented = [...section.matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code));
  expect(documented).toEqual(Object.values(EXIT));
});
