import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchFeed } from './fetch-feed.ts';

const SECRET = 'a-secret-of-the-operator';
const server = createServer((request, response) => {
  const location = `${new URL(request.url ?? '', 'http://x').pathname}?key=${SECRET}`;
  if (request.url?.startsWith('/round')) response.writeHead(302, { location }).end();
  else if (request.url?.startsWith('/away'))
    response.writeHead(302, { location: `http://${SECRET}:x@127.0.0.1/` }).end();
  else response.writeHead(500).end();
});
let base = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

it.each([
  ['is refused', () => `http://${base}/feed?key=${SECRET}`],
  ['leads round in a circle', () => `http://${base}/round?key=${SECRET}`],
  ['leads to one with a password', () => `http://${base}/away?key=${SECRET}`],
  ['cannot be reached', () => `http://127.0.0.1:1/feed?key=${SECRET}`],
  ['holds a user and a password', () => `http://operator:${SECRET}@${base}/feed`],
  ['is none that may be fetched', () => `http://192.0.2.1/feed?key=${SECRET}`],
])('an address that %s is named without what may be secret in it', async (_, address) => {
  const refused = await fetchFeed(address()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  expect((refused as Error).message).not.toContain(SECRET);
});

it('an address with a password is refused before anything is sent', async () => {
  await expect(fetchFeed(`http://operator:${SECRET}@${base}/feed`)).rejects.toThrow(
    'without a user or a password',
  );
});
