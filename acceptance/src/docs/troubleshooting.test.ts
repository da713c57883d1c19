import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@tps/contract';
import { configTable } from '@tps/server/command-line';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');

/** The first column of the tables: what a person sees. */
const symptoms = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| You see'))
  .map((line) => line.split('|')[1]?.trim() ?? '');

/** The source of all programs, without the joints of texts that continue on the next line. */
function readSource(): string {
  const files = globSync('packages/{contract,server,agent,client,cli}/src/**/*.ts', { cwd: ROOT });
  return files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
    .replaceAll(/['`] \+\s*['`]/g, '');
}

test('every message of docs/troubleshooting.md exists in the source', () => {
  const source = readSource();
  const messages = symptoms
    .filter((symptom) => !/^\d{3} /.test(symptom))
    .flatMap((symptom) => [...symptom.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message));
  expect(messages.length).toBeGreaterThan(30);
  const missing = messages.filter((message) =>
    message.split('…').some((part) => !source.includes(part.replace(/^tps /, ''))),
  );
  expect(missing).toEqual([]);
});

test('every error of docs/troubleshooting.md has the status of the contract', () => {
  const errors = symptoms.flatMap(
    (symptom) => /^(\d{3}) `(\w+)`$/.exec(symptom)?.slice(1, 3).join(' ') ?? [],
  );
  const known = Object.entries(ERROR_STATUS).map(([code, status]) => `${status} ${code}`);
  expect(errors.length).toBeGreaterThan(25);
  expect(errors.filter((error) => !known.includes(error))).toEqual([]);
});

test('every setting that docs/troubleshooting.md names exists', () => {
  const known = configTable().map(({ name }) => name);
  const named = page.match(/\bSERVICE_[A-Z0-9_]+/g) ?? [];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
