import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createRateShare } from './rate-share.ts';

async function pausesOf(limit: string | undefined, requests: number): Promise<number[]> {
  const server = createServer((_request, response) => {
    response.writeHead(200, limit === undefined ? {} : { 'x-ratelimit-limit': limit }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const pauses: number[] = [];
  const share = createRateShare(async (ms) => pauses.push(ms));
  await share.wait(requests);
  await share.fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {});
  await share.wait(requests);
  return pauses;
}

it('a long series of requests uses half of the rate limit', async () => {
  expect(await pausesOf('120', 61)).toEqual([1000]);
  expect(await pausesOf('10', 61)).toEqual([12_000]);
});

it('a short series, and one without a known limit, does not wait', async () => {
  expect(await pausesOf('120', 60)).toEqual([]);
  expect(await pausesOf(undefined, 1000)).toEqual([]);
  expect(await pausesOf('none', 1000)).toEqual([]);
});
