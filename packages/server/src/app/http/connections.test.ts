import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@tps/testing/network';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

let metricsUrl: URL;
const service = useTestService(async () => {
  const bind = `127.0.0.1:${await findFreePort()}`;
  metricsUrl = new URL(`http://${bind}/metrics`);
  return {
    env: {
      SERVICE_METRICS_BIND: bind,
      SERVICE_MAX_CONNECTIONS_PER_ADDRESS: '4',
      SERVICE_IDLE_TIMEOUT_SECONDS: '1',
      SERVICE_HEADER_TIMEOUT_SECONDS: '1',
      SERVICE_TRANSFER_TIMEOUT_SECONDS: '1',
      SERVICE_TRANSFER_BYTES_PER_SECOND: '1000',
    },
  };
});

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

/** Opens a connection. `ended` resolves with everything received, once the service has ended it. */
function open(url: string | URL, text = ''): { socket: Socket; ended: Promise<string> } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  if (text !== '') socket.write(text);
  return { socket, ended: new Promise((resolve) => socket.once('close', () => resolve(received))) };
}

const head = (length: number) =>
  `POST /policies HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${service.tenant.credential}\r\n` +
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

async function metric(name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
}

test('a connection is closed once it has been idle for its time', async () => {
  const { ended } = open(service.baseUrl, HEALTH);
  expect(await ended).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a connection that sends nothing is closed, by the API and by the metrics', async () => {
  expect(await open(service.baseUrl).ended).toBe('');
  expect(await open(metricsUrl).ended).toBe('');
  expect(await metric('tps_http_connections_ended_total{reason="header"}')).toBeGreaterThan(0);
});

test('a body that trickles is cut off, however little of it is missing', async () => {
  const { socket, ended } = open(service.baseUrl, head(1_000));
  const timer = setInterval(() => socket.write(' '), 50);
  expect(await ended).toBe('');
  clearInterval(timer);
});

test('a body that arrives slowly at a sufficient rate is processed', async () => {
  const body = JSON.stringify({ name: 'Block', threat_categories: ['phishing'], action: 'block' });
  const filled = body.padEnd(40_000, ' ');
  const { socket, ended } = open(service.baseUrl, head(filled.length));
  // Three times the time limit, at ten times the rate that prolongs it.
  for (let sent = 0; sent < filled.length; sent += 1_000) {
    socket.write(filled.slice(sent, sent + 1_000));
    await sleep(75);
  }
  expect(await ended).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
});

test('the next request of a kept connection has its own time limits', async () => {
  const { socket, ended } = open(service.baseUrl, HEALTH);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n');
  expect(await ended).toContain('The request took too long to arrive');
});

test('over the limit of an address, its idle connections make room and busy ones do not', async () => {
  const idle = Array.from({ length: 8 }, () => open(service.baseUrl));
  await Promise.all(idle.map(({ ended }) => ended));
  // One after the other: a connection counts as idle until the service has read the first byte.
  await waitUntil(async () => {
    open(service.baseUrl, head(1_000));
    await sleep(20);
    return (await metric('tps_http_connections_ended_total{reason="refused_address"}')) > 0;
  });
  expect(await metric('tps_http_connections')).toBeLessThanOrEqual(4);
  await waitUntil(() => service.log().includes('"msg":"connections refused"'));
  await waitUntil(async () => (await open(service.baseUrl, HEALTH).ended).startsWith('HTTP/1.1 200'));
});
