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
  ['returns an error', () => `http://${base}/feed?key=${SECRET}`],
  ['redirects in a loop', () => `http://${base}/round?key=${SECRET}`],
  ['redirects to one with a password', () => `http://${base}/away?key=${SECRET}`],
  ['cannot be reached', () => `http://127.0.0.1:1/feed?key=${SECRET}`],
  ['contains a user and a password', () => `http://operator:${SECRET}@${base}/feed`],
  ['is not allowed', () => `http://192.0.2.1/feed?key=${SECRET}`],
])('the error for an address that %s does not contain its secret', async (_, address) => {
  const refused = await fetchFeed(address()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  expect((refused as Error).message).not.toContain(SECRET);
});

it('an address with a password is rejected before a request is sent', async () => {
  await expect(fetchFeed(`http://operator:${SECRET}@${base}/feed`)).rejects.toThrow(
    'must not contain a user or a password',
  );
});
