import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that send the rest of all statements to PostgreSQL. `node scripts/src/postgres-cover/main.ts` chooses them. */
export const COVER = 'packages/testing/src/plan/postgres-cover.json';

/** What only PostgreSQL does, and what a kill or a race can do differently there. */
const DIFFERS = /=== 'postgres'|!IS_SQLITE|skipIf\(IS_SQLITE\)/;
const KILLS_AND_RACES = /(?:crash|races|concurrent-feed)\.test\.ts$/;

/**
 * Returns which tests run on PostgreSQL in `npm test`, of those that can: the ones that differ there, the ones of the
 * database itself, and a cover of all statements.
 */
export function createPostgresChoice(root: string): (file: string) => boolean {
  const cover = new Set(JSON.parse(readFileSync(join(root, COVER), 'utf8')) as string[]);
  for (const file of cover) {
    if (!existsSync(join(root, file))) throw new Error(`${COVER} names ${file}, which does not exist.`);
  }
  return (file) => cover.has(file) || differsOnPostgres(file, readFileSync(join(root, file), 'utf8'));
}

export function differsOnPostgres(file: string, code: string): boolean {
  return file.includes('/database/') || KILLS_AND_RACES.test(file) || DIFFERS.test(code);
}
