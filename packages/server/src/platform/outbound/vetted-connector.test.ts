import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { TargetRejectedError } from './target-rejected-error.ts';
import {
  createVettedConnector,
  resolveVetted,
  type VettedConnector,
  type VettedConnectorOptions,
  withPublicRoots,
} from './vetted-connector.ts';

/** All bytes that arrived at a server on loopback. */
let received: Buffer[];
let accepted: Socket[];
let port: number;

beforeEach(async () => {
  received = [];
  accepted = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => received.push(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  const address = server.address();
  port = address && typeof address === 'object' ? address.port : 0;
});

function createConnector(options: Partial<VettedConnectorOptions>): VettedConnector {
  const resolve = () => Promise.resolve(['127.0.0.1']);
  return createVettedConnector({
    resolve,
    isAllowed: () => true,
    connectMs: 2000,
    ca: undefined,
    ...options,
  });
}

function connectTo(
  url: string,
  options: Partial<VettedConnectorOptions>,
  connector = createConnector(options),
) {
  const { protocol, hostname, host } = new URL(url);
  return new Promise<Socket>((done, failed) => {
    connector.connect({ protocol, hostname, host, port: String(port) }, (error, socket) => {
      if (socket) onTestFinished(() => void socket.destroy());
      if (error) failed(error);
      else done(socket as Socket);
    });
  });
}

test('a name is connected to a vetted address', async () => {
  const socket = await connectTo('http://hooks.test', {});
  expect(socket.remoteAddress).toBe('127.0.0.1');
});

test('aborting pending connections spares established ones', async () => {
  const connector = createConnector({});
  const made = await connectTo('http://hooks.test', {}, connector);
  const beingMade = connectTo('https://hooks.test', {}, connector);
  connector.abandon();
  await expect(beingMade).rejects.toThrow();
  expect(made.destroyed).toBe(false);
});

test('private authorities are trusted in addition to the public ones', () => {
  expect(withPublicRoots('private')).toEqual([...rootCertificates, 'private']);
});

describe('an address that is not allowed', () => {
  test.each(['http://hooks.test', 'https://hooks.test'])('is not connected to: %s', async (url) => {
    await expect(connectTo(url, { isAllowed: () => false })).rejects.toThrow(TargetRejectedError);
    expect(accepted).toHaveLength(0);
  });

  test.each(['http://hooks.test', 'https://hooks.test', 'http://127.0.0.1', 'https://127.0.0.1'])(
    'receives no byte, not even of a TLS handshake, if connected: %s',
    async (url) => {
      let asked = 0;
      const isLiteral = url.endsWith('1');
      // Allowed when the name is resolved, but not when the socket is connected.
      const isAllowed = () => ++asked === 1 && !isLiteral;
      await expect(connectTo(url, { isAllowed })).rejects.toThrow(TargetRejectedError);
      await expect.poll(() => accepted.length === 1 && accepted[0]?.readableEnded).toBe(true);
      expect(received).toEqual([]);
    },
  );
});

test('one forbidden address rejects the whole lookup', async () => {
  const isAllowed = (address: string) => address !== '10.0.0.1';
  const resolveTo = (...addresses: string[]) =>
    resolveVetted('hooks.test', { isAllowed, resolve: () => Promise.resolve(addresses) });
  expect(await resolveTo('8.8.8.8', '1.1.1.1')).toEqual(['8.8.8.8', '1.1.1.1']);
  await expect(resolveTo('8.8.8.8', '10.0.0.1')).rejects.toThrow(TargetRejectedError);
  await expect(resolveTo('10.0.0.1', '8.8.8.8')).rejects.toThrow(TargetRejectedError);
});
