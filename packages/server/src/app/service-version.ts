import { readFileSync } from 'node:fs';

/** Reads the version of the service from its package. */
export function serviceVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
