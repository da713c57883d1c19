import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const MAX_CONNECTIONS = 8;
const service = useTestService({
  env: {
    SERVICE_ACCESS_LOG: 'true',
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_MAX_CONNECTIONS_PER_ADDRESS: String(MAX_CONNECTIONS),
  },
});

type Line = Record<string, unknown>;

const lines = (): Line[] =>
  service
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ log }) => log === 'access');

/** Sends a request on a connection that closes, and returns its line. */
async function lineOf(
  path: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<Line> {
  const id = `test-${crypto.randomUUID()}`;
  const { hostname, port } = new URL(service.baseUrl);
  await new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${service.tenant.credential}`, 'x-request-id': id, ...headers };
    const request = httpRequest({ hostname, port, method, path, headers: all, agent: false }, (response) =>
      response.resume().once('end', resolve),
    );
    request.once('error', reject).end();
  });
  await waitUntil(() => lines().some(({ requestId }) => requestId === id));
  return lines().find(({ requestId }) => requestId === id) as Line;
}

test('a request is one line, with its route, caller and client', async () => {
  const line = await lineOf('/devices/dev_none?x=secret-in-query');
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    log: 'access',
    msg: 'request',
    method: 'GET',
    route: '/devices/{id}',
    path: '/devices/dev_none',
    status: 400,
    code: 'invalid_parameter',
    ms: expect.any(Number),
    bytes: expect.any(Number),
    requestId: line.requestId,
    tenantId: service.tenant.tenantId,
    tokenId: expect.stringMatching(/^tok_/),
    deviceId: 'dev_none',
    address: '127.0.0.1',
  });
  expect(service.log()).not.toContain('secret-in-query');
  expect(service.log()).not.toContain(service.tenant.credential);
});

test('bytes are those of the body', async () => {
  const response = await fetch(`${service.baseUrl}/healthz`, { headers: { connection: 'close' } });
  const { length } = await response.text();
  expect(await lineOf('/healthz')).toMatchObject({ status: 200, bytes: length });
  expect(await lineOf('/healthz', { method: 'HEAD' })).toMatchObject({ status: 200, bytes: 0 });
});

test('a request without a valid credential has no caller', async () => {
  const line = await lineOf('/events', { authorization: 'Bearer svc_live_nothing' });
  expect(line).toMatchObject({ status: 401, route: '/events', address: '127.0.0.1' });
  expect(line).not.toHaveProperty('tokenId');
});

test('an unknown path has no route, and is cut', async () => {
  const line = await lineOf(`/${'x'.repeat(2000)}`);
  expect(line).toMatchObject({ status: 404 });
  expect(line).not.toHaveProperty('route');
  expect(String(line.path)).toHaveLength(512);
});

test.each(['svc_live_', 'svc%5Flive%5F', '%73vc_live_', '%2573vc_live_'])(
  'a credential in the path is not written: %s',
  async (prefix) => {
    const secret = 'a1b2c3'.repeat(6);
    await lineOf(`/devices/${prefix}${secret}`);
    expect(service.log()).not.toContain(secret);
  },
);

test('a page for people is written as its template', async () => {
  const line = await lineOf('/auth/login?next=secret');
  expect(line).toMatchObject({ route: '/auth/login', path: '/auth/login' });
});

test('what is not HTTP is a line without a route', async () => {
  const before = lines().length;
  await ended(open('this is not HTTP\r\n\r\n'));
  await waitUntil(() => lines().length > before);
  const line = lines().at(-1);
  expect(line).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
    address: '127.0.0.1',
    msg: 'request',
  });
  expect(line).not.toHaveProperty('method');
});

test('a client that leaves early is marked', async () => {
  const head = `POST /policies HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.tenant.credential}\r\n`;
  const socket = open(
    `${head}x-request-id: left-1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  );
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.end();
  await waitUntil(() => lines().some(({ requestId }) => requestId === 'left-1'));
  expect(lines().find(({ requestId }) => requestId === 'left-1')).toMatchObject({
    aborted: true,
    address: '127.0.0.1',
  });
});

test('a refused connection is a line with the reason', async () => {
  // A connection makes room until the service has read the beginning of a header.
  await waitUntil(async () => {
    const socket = open('GET /healthz HTTP/1.1\r\nx: ');
    await new Promise((resolve) => socket.once('connect', resolve));
    return lines().some(({ reason }) => reason === 'refused_address');
  });
  expect(lines().find(({ reason }) => reason === 'refused_address')).toMatchObject({
    msg: 'connection refused',
    address: '127.0.0.1',
  });
});

function open(text: string): Socket {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  socket.write(text);
  return socket;
}

function ended(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}
