import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { loadServiceEnvironment } from './service-environment.ts';

const folder = () => newFolder();

test('variables of the environment take precedence over those of tps.env', async () => {
  const directory = folder();
  await writeFile(
    join(directory, 'tps.env'),
    'SERVICE_BIND="127.0.0.1:1"\n# a note\nSERVICE_LOG_LEVEL=warn\n',
  );
  const env = await loadServiceEnvironment({ env: { SERVICE_BIND: '127.0.0.1:2' }, directory }, undefined);
  expect(env).toEqual({ SERVICE_BIND: '127.0.0.1:2', SERVICE_LOG_LEVEL: 'warn' });
});

test('tps.env is optional, a file named with --env-file is not', async () => {
  const context = { env: { A: 'b' }, directory: folder() };
  await expect(loadServiceEnvironment(context, undefined)).resolves.toEqual({ A: 'b' });
  await expect(loadServiceEnvironment(context, 'other.env')).rejects.toThrow('other.env');
});
