import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const RUNTIME_IMPORT = /^(?:import|export)(?! type\b)[^;]*?from '([^']+)'/gms;
const OF_NODE = /^node:/;

/** Collects the modules of this package that a module loads at run time, without type imports. */
function loadedBy(file: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen;
  const source = readFileSync(file, 'utf8');
  seen.set(file, source);
  for (const [, target = ''] of source.matchAll(RUNTIME_IMPORT)) {
    if (target.startsWith('.')) loadedBy(join(dirname(file), target), seen);
  }
  return seen;
}

test('the core does not load or use Node', () => {
  const loaded = loadedBy(join(import.meta.dirname, 'core.ts'));
  expect(loaded.size).toBeGreaterThan(30);
  const foreign = [...loaded].flatMap(([file, source]) => {
    const imports = [...source.matchAll(RUNTIME_IMPORT)].filter(([, target = '']) => OF_NODE.test(target));
    const globals = source.match(/\b(?:Buffer|process)\.\w+/g) ?? [];
    return [
      ...imports.map(([, target]) => `${file}: ${target}`),
      ...globals.map((name) => `${file}: ${name}`),
    ];
  });
  expect(foreign).toEqual([]);
});
