import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints the address of every module that the given one loads. */
const LIST_MODULES = `
  import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
  await import(process.argv[1]);
`;

test('appending events loads neither schemas nor routes, which take longer than all the rest', async () => {
  const module = new URL('./append-events.ts', import.meta.url).href;
  const args = ['--conditions=source', '--input-type=module', '--eval', LIST_MODULES, module];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const loaded = stdout.split('\n');
  expect(loaded).toContain(module);
  expect(loaded.filter((url) => /node_modules\/(?:typebox|ajv)\/|-routes\.ts$/.test(url))).toEqual([]);
});
