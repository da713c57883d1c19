import { afterAll, afterEach } from 'vitest';
import { countPostgresDatabases } from './test-store.ts';

// Runs before each file of the project `postgres`.
const before = countPostgresDatabases();
let hasRun = false;

afterEach(() => {
  hasRun = true;
});

afterAll(() => {
  if (countPostgresDatabases() > before || !hasRun) return;
  throw new Error(
    'No test of this file opens a store. It is the same on PostgreSQL and on SQLite: let it run once.',
  );
});
