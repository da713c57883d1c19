import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { newPipe } from '@tps/testing/fixture';
import { startTestService } from '@tps/testing/service';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a service whose scan threads wait for `release`: they read a model from a pipe. */
async function startBlocked() {
  const model = newPipe();
  // The main thread reads the models first, and is blocked meanwhile.
  spawn('sh', ['-c', 'echo none > "$0"', model], { stdio: 'ignore' });
  const service = await startTestService({ env: { SERVICE_SCAN_MODEL: model } });
  onTestFinished(() => service.stop());
  const scan = (base64: string) =>
    service.client.send('POST', '/scan', {
      credential: service.tenant.credential,
      body: { type: 'file', content_b64: base64 },
    });
  return { service, scan, release: () => writeFile(model, 'not a model') };
}

test('a malformed body is 400 before any thread has started', async () => {
  const { scan, release } = await startBlocked();
  for (const base64 of ['aGk', 'a-_=', 'aGk=aGk=']) expect((await scan(base64)).status, base64).toBe(400);
  const first = scan('aGk=');
  await release();
  expect((await first).body).toMatchObject({ details: expect.stringContaining('no model is loaded') });
});

test('readiness waits for a thread that can scan', async () => {
  const { service, release } = await startBlocked();
  const order: string[] = [];
  const ready = service.client.send('GET', '/readyz').then(({ status }) => order.push(`ready ${status}`));
  expect((await service.client.send('GET', '/healthz')).status).toBe(200);
  order.push('released');
  await release();
  await ready;
  expect(order).toEqual(['released', 'ready 200']);
});
