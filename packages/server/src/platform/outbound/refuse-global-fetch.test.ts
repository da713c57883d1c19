import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { refuseGlobalFetch } from './refuse-global-fetch.ts';

test('a library cannot reach an address with the fetch of the process', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(refuseGlobalFetch());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await expect(globalThis.fetch(url)).rejects.toThrow('OutboundClient');
  expect(requests).toBe(0);
});
