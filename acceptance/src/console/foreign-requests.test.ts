import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

/** Starts a server on an address of this machine, and records the paths that are requested from it. */
async function startElsewhere(address: string) {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    response.end('reached');
  });
  server.on('upgrade', ({ url = '' }, socket) => {
    paths.push(url);
    socket.destroy();
  });
  await once(server.listen(0, address), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, paths };
}

/** Opens a web socket in the page, and waits until it fails. */
async function openWebSocket(page: Page, url: string): Promise<void> {
  await page.evaluate(async (target) => {
    const socket = new WebSocket(target);
    await new Promise((resolve) => socket.addEventListener('error', resolve));
  }, url);
}

// Chromium itself resolves each name below localhost to this machine.
test.runIf(process.platform === 'linux').each([
  { target: 'another address', host: '127.0.0.2', address: '127.0.0.2' },
  { target: 'a name', host: 'elsewhere.localhost', address: '127.0.0.1' },
])(
  'in tests of the console, a request to $target is reported and does not reach it',
  async ({ host, address }) => {
    const { page, problems } = await openConsole(service, chromium, { allowMessages: [/ERR_/] });
    const { port, paths } = await startElsewhere(address);
    const url = `http://${host}:${port}/`;
    await expect(page.goto(url)).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
    expect(paths).toEqual([]);
    // Removed from the list: a request that is still in it at the end fails the test.
    expect(problems.foreignRequests.splice(0)).toEqual([url]);
  },
);

// The content security policy of the pages forbids these too, so the tests bypass it.
test.runIf(process.platform === 'linux').each([
  { target: 'another address', host: '127.0.0.2', isReached: false },
  { target: 'another port', host: '127.0.0.1', isReached: true },
])('in tests of the console, a web socket to $target is reported', async ({ host, isReached }) => {
  const options = { context: { bypassCSP: true }, allowMessages: [/WebSocket/] };
  const { page, problems } = await openConsole(service, chromium, options);
  const { port, paths } = await startElsewhere(host);
  const url = `ws://${host}:${port}/`;
  await openWebSocket(page, url);
  expect(paths).toEqual(isReached ? ['/'] : []);
  expect(problems.foreignRequests.splice(0)).toEqual([url]);
});
