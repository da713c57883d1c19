import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readServiceEnvironment } from './service-environment.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'tps-'));

test('the environment goes before tps.env, which fills in what it does not set', async () => {
  const directory = folder();
  await writeFile(
    join(directory, 'tps.env'),
    'SERVICE_BIND="127.0.0.1:1"\n# a note\nSERVICE_LOG_LEVEL=warn\n',
  );
  const env = await readServiceEnvironment({ env: { SERVICE_BIND: '127.0.0.1:2' }, directory }, undefined);
  expect(env).toEqual({ SERVICE_BIND: '127.0.0.1:2', SERVICE_LOG_LEVEL: 'warn' });
});

test('no tps.env is no fault, a named file that is not there is one', async () => {
  const surroundings = { env: { A: 'b' }, directory: folder() };
  await expect(readServiceEnvironment(surroundings, undefined)).resolves.toEqual({ A: 'b' });
  await expect(readServiceEnvironment(surroundings, 'other.env')).rejects.toThrow('other.env');
});
