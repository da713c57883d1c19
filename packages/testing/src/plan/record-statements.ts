import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { statements } from './statements.ts';

// Runs before each file of the project `postgres` if RECORD_STATEMENTS names a folder: see scripts/src/postgres-cover.
statements.clear();
const startedAtMs = performance.now();

afterAll(() => {
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  const name = `${createHash('sha256').update(file).digest('hex').slice(0, 16)}.json`;
  const record = { file, durationMs: performance.now() - startedAtMs, statements: [...statements] };
  writeFileSync(join(process.env.RECORD_STATEMENTS ?? '', name), JSON.stringify(record));
});
