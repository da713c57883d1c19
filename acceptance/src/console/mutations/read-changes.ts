import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../../../packages/console/src/', import.meta.url));
/** Calls of the client by which people change something with one request. Bulk changes have tests of their own. */
const CHANGE =
  /\b(?:client|api)\.([\w.]+\.(?:create|update|remove|revoke|roll|rotateSecret|replace|archive|review|cancel|recover|requestDeletion|cancelDeletion|import|content|replay))\(/g;

/** Reads from the source of the console which calls change something. */
export function readConsoleChanges(): string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).filter((file) => !file.includes('.test.'));
  const calls = files.flatMap((file) => [...readFileSync(SOURCE + file, 'utf8').matchAll(CHANGE)]);
  return [...new Set(calls.map(([, call = '']) => call))].sort();
}
