import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type ConnectionOptions, createServer, connect as tlsConnect } from 'node:tls';
import { newFolder } from '@tps/testing/fixture';
import { type CertificatePair, issueSelfSigned } from '@tps/testing/network';
import { spawnProgram, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const RELOADED = 'TLS certificate reloaded';
const REFUSED = 'TLS certificate reload failed';

async function startTls(settings: Record<string, string> = {}) {
  const directory = newFolder();
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const files = { cert: join(directory, 'tls.crt'), key: join(directory, 'tls.key') };
  const install = ({ cert, key }: CertificatePair) => {
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
  };
  const pair = issueSelfSigned();
  install(pair);
  const env = {
    SERVICE_DATABASE_URL: store.url,
    SERVICE_TLS_CERT_FILE: files.cert,
    SERVICE_TLS_KEY_FILE: files.key,
    ...settings,
  };
  const service = await spawnService({ env });
  return { service, env, pair, files, install };
}

/** Returns the version and certificate of a handshake, or the code of its error. */
function handshake(
  url: string,
  options: ConnectionOptions,
): Promise<{ version: string; cert: string } | string> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = tlsConnect({ host, port: Number(port), rejectUnauthorized: false, ...options }, () => {
      const cert = socket.getPeerX509Certificate()?.toString() ?? '';
      resolve({ version: socket.getProtocol() ?? '', cert });
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

async function servedCert(url: string): Promise<string> {
  const shaken = await handshake(url, {});
  return typeof shaken === 'string' ? shaken : shaken.cert;
}

function get(url: string, options: { ca: string; credential: string }) {
  return new Promise<{ status: number | undefined; hsts: unknown }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${options.credential}` };
    const outgoing = request(url, { ca: options.ca, headers, agent: false }, (answer) => {
      const { statusCode: status, headers } = answer.resume();
      resolve({ status, hsts: headers['strict-transport-security'] });
    });
    outgoing.once('error', reject).end();
  });
}

/** Sends plain text to a port, and returns everything received until the other side closes. */
function speakPlain(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.once('close', () => resolve(answer)).once('error', reject);
  });
}

test('https works with a certificate of openssl, and TLS 1.2 is the minimum', async () => {
  const { service, pair } = await startTls();
  expect(service.baseUrl).toMatch(/^https:/);
  const { admin: credential } = service.credentials();
  const answer = await get(`${service.baseUrl}/status`, { ca: pair.cert, credential });
  expect(answer).toEqual({ status: 200, hsts: expect.stringContaining('max-age=') });

  const only = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    ({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' }) as const;
  expect(await handshake(service.baseUrl, only('TLSv1.3'))).toMatchObject({ version: 'TLSv1.3' });
  expect(await handshake(service.baseUrl, only('TLSv1.2'))).toMatchObject({ version: 'TLSv1.2' });
  expect(await handshake(service.baseUrl, only('TLSv1.1'))).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');

  // This client supports TLS 1.1, so the refusal above is that of the service.
  const old = createServer({ ...pair, minVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void old.close());
  const { port } = old.address() as { port: number };
  expect(await handshake(`https://127.0.0.1:${port}`, only('TLSv1.1'))).toMatchObject({ version: 'TLSv1.1' });
});

test('plain HTTP on the TLS port is refused and closed, never redirected or processed', async () => {
  const { service } = await startTls();
  const { admin } = service.credentials();
  const answer = await speakPlain(
    service.baseUrl,
    `GET /status HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin}\r\n\r\n`,
  );
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head.toLowerCase()).toContain('\r\nconnection: close');
  expect(head.toLowerCase()).not.toContain('location:');
  expect(JSON.parse(body)).toEqual({
    error: { code: 'plaintext_rejected', status: 400, message: expect.stringContaining('https') },
  });
  expect(service.output()).not.toContain(admin);
  expect(await handshake(service.baseUrl, {})).toMatchObject({ version: 'TLSv1.3' });
});

test('an unfinished handshake or a silent client does not prevent a clean stop', async () => {
  const { service } = await startTls();
  const { hostname, port } = new URL(service.baseUrl);
  const openings = [Buffer.of(), Buffer.of(0x16)];
  for (const opening of openings) {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    await new Promise<void>((resolve) => socket.write(opening, () => resolve()));
  }
  expect(await handshake(service.baseUrl, {})).toMatchObject({ version: 'TLSv1.3' });
  expect(await service.stop()).toMatchObject({ code: 0 });
  expect(service.output()).not.toContain('shutdown timed out');
});

test('silence, an unfinished handshake and an unfinished header are each ended in time', async () => {
  const { service } = await startTls({
    SERVICE_HANDSHAKE_TIMEOUT_SECONDS: '1',
    SERVICE_HEADER_TIMEOUT_SECONDS: '1',
    SERVICE_CLOSE_TIMEOUT_SECONDS: '1',
  });
  const { hostname: host, port } = new URL(service.baseUrl);
  const ended = (socket: Socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).resume();
    return new Promise<void>((resolve) => socket.once('close', () => resolve()));
  };
  const open = (opening: Buffer) =>
    ended(
      connect(Number(port), host).on('connect', function (this: Socket) {
        this.write(opening);
      }),
    );
  const secured = tlsConnect({ host, port: Number(port), rejectUnauthorized: false }, () =>
    secured.write('GET /healthz HTTP/1.1\r\nhost: x\r\n'),
  );
  await Promise.all([open(Buffer.of()), open(Buffer.of(0x16)), open(Buffer.from('GET /')), ended(secured)]);
  expect(await handshake(service.baseUrl, {})).toMatchObject({ version: 'TLSv1.3' });
});

test('a renewed certificate is served without a restart, and SIGHUP reloads it at any time', async () => {
  const { service, pair, install } = await startTls();
  expect(await servedCert(service.baseUrl)).toBe(pair.cert);
  const second = issueSelfSigned();
  install(second);
  await waitUntil(async () => (await servedCert(service.baseUrl)) === second.cert);

  const third = issueSelfSigned();
  install(third);
  service.signal('SIGHUP');
  await waitUntil(async () => (await servedCert(service.baseUrl)) === third.cert);

  // Without a signal, only changed files are read again.
  const countReloads = () => service.output().split(RELOADED).length;
  const before = countReloads();
  service.signal('SIGHUP');
  await waitUntil(() => countReloads() > before);
  expect(service.output()).not.toContain(REFUSED);
});

test('an invalid new pair leaves the old one in place, and the next valid pair is used', async () => {
  const { service, pair, files, install } = await startTls();
  const other = issueSelfSigned();
  writeFileSync(files.key, other.key);
  service.signal('SIGHUP');
  await waitUntil(() => service.output().includes(REFUSED));
  expect(await servedCert(service.baseUrl)).toBe(pair.cert);
  expect(service.output()).not.toContain(RELOADED);

  install(other);
  service.signal('SIGHUP');
  await waitUntil(async () => (await servedCert(service.baseUrl)) === other.cert);
  expect(service.output()).not.toContain('PRIVATE KEY');
});

test('a pair that does not match is refused at the start, with both file names', async () => {
  const { env, files } = await startTls();
  writeFileSync(files.key, issueSelfSigned().key);
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const program = spawnProgram({
    env: { ...env, SERVICE_DATABASE_URL: store.url, SERVICE_BIND: '127.0.0.1:0' },
  });
  const { code, output } = await program.ended;
  expect(code).toBe(1);
  expect(output).toContain(
    `the private key in ${files.key} does not belong to the certificate in ${files.cert}`,
  );
  expect(output).not.toMatch(/^ +at /m);
});
