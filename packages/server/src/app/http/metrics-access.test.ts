import { findFreePort } from '@tps/testing/network';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const TOKEN = 'scraper-token-with-32-characters';
let url: string;
const service = useTestService(async () => {
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/metrics`;
  return { env: { SERVICE_METRICS_BIND: `0.0.0.0:${port}`, SERVICE_METRICS_TOKEN: TOKEN } };
});

const read = (authorization?: string, method = 'GET') =>
  fetch(url, { method, headers: authorization === undefined ? {} : { authorization } });

test('beyond loopback, the metrics are served to the holder of the token only', async () => {
  const response = await read(`Bearer ${TOKEN}`);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('tps_http_connections ');
  expect((await read(`bearer ${TOKEN}`, 'HEAD')).status).toBe(200);
});

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  `Basic ${TOKEN}`,
  `Bearer ${TOKEN}x`,
  `Bearer ${TOKEN.slice(1)}`,
  TOKEN,
])('%j gets 401 without metrics', async (authorization) => {
  const response = await read(authorization);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await response.text()).toBe('');
  expect(service.log()).not.toContain(TOKEN);
});

test('the log says that a scraper was refused, once for many requests', async () => {
  for (const _ of [1, 2, 3]) await read();
  expect(service.log().split('metrics refused: the token is missing or wrong')).toHaveLength(2);
});
