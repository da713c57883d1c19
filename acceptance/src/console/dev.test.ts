import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '@tps/testing/fixture';
import { findFreePort } from '@tps/testing/network';
import { spawnProgram, sqliteEnv } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const DEV = fileURLToPath(new URL('../../../scripts/src/dev/main.ts', import.meta.url));

test('npm run dev serves the console from its sources, and forwards everything else', async () => {
  const [port, servicePort] = [await findFreePort(), await findFreePort()];
  const dev = spawnProgram({
    program: DEV,
    args: ['--port', `${port}`, '--service-port', `${servicePort}`],
    env: sqliteEnv(join(newFolder(), 'service.db')),
  });
  onTestFinished(async () => {
    dev.signal('SIGTERM');
    await dev.ended;
  });
  const origin = `http://127.0.0.1:${port}`;
  const statusOf = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, init).then(
      ({ status }) => status,
      () => 0,
    );
  await waitUntil(async () => (await statusOf('/healthz')) === 200);
  const page = await (await fetch(`${origin}/console/tnt_any/incidents`)).text();
  expect(page).toContain('src="/console/src/main.ts"');
  expect(page).toContain('name="tps-accounts" content="/auth"');
  expect(await statusOf('/console/src/main.ts')).toBe(200);
  expect(await statusOf('/auth/login')).toBe(200);
  // The service knows the address at which the browser is: it refuses the requests of other origins.
  const headers = { 'x-tps-console': '1', 'content-type': 'application/json', origin };
  expect(await statusOf('/console/session', { method: 'POST', body: '{}', headers })).toBe(401);
  // As Ctrl-C does.
  dev.signal('SIGINT');
  expect((await dev.ended).code).toBe(0);
});
