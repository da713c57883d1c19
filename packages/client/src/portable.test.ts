import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCES = dirname(fileURLToPath(import.meta.url));

test('the shipped code imports only openapi-fetch and uses nothing of Node', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const shipped = files.filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|\btesting\b/.test(file));
  expect(shipped.length).toBeGreaterThan(40);
  const outside = new Set<string>();
  for (const file of shipped) {
    const code = readFileSync(join(SOURCES, file), 'utf8');
    const imports = [...code.matchAll(/^(import|export)( type)? [^;]*? from '([^']+)';$/gm)];
    for (const [, , , from = ''] of imports) if (!from.startsWith('.')) outside.add(from);
    expect(code).not.toMatch(/\b(Buffer|process)\.\w|\b(require|import)\(/);
  }
  expect([...outside]).toEqual(['openapi-fetch']);
});
