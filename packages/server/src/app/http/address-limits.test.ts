import { useTestService } from '@tps/testing/service';
import { Agent, request } from 'undici';
import { afterAll, expect, test } from 'vitest';

const service = useTestService({ env: { SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' } });
const agent = new Agent({ connections: 20 });
let addresses = 0;

afterAll(() => agent.close());

const newAddress = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};

/** Sends a number of requests from an address. Returns how many were refused. */
async function send(count: number, { method, path, address }: Record<'method' | 'path' | 'address', string>) {
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => {
      const { statusCode, body } = await request(`${service.baseUrl}${path}`, {
        method: method as 'GET' | 'POST',
        dispatcher: agent,
        headers: { 'x-forwarded-for': address },
      });
      await body.dump();
      return statusCode;
    }),
  );
  return statuses.filter((status) => status === 429).length;
}

test.each([
  ['an open route', 600, 'GET', '/healthz', '/healthz'],
  ['unknown paths together', 600, 'GET', '/unknown', '/unknown-as-well'],
  ['pages', 600, 'GET', '/auth/login', '/auth/device'],
  ['the authorization server', 600, 'GET', '/auth/jwks', '/auth/login'],
  ['forms', 120, 'POST', '/auth/login', '/auth/logout'],
  ['files of the console', 6_000, 'GET', '/console/icon.svg', '/console/'],
])('%s: an address may send %d requests a minute, and another one its own', async (_, limit, ...rest) => {
  const [method, path, other] = rest;
  const address = newAddress();
  expect(await send(limit, { method, path, address })).toBe(0);
  expect(await send(1, { method, path: other, address })).toBe(1);
  expect(await send(1, { method, path, address: newAddress() })).toBe(0);
});
