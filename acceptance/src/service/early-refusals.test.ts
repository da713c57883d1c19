import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '@tps/testing/fixture';
import { createTestAuthority, findFreePort } from '@tps/testing/network';
import { requireProgram } from '@tps/testing/process';
import { startTestService, useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../docs/proxy-recipe.ts';

const run = promisify(execFile);
/** A single broken connection in six was enough to fail before. */
const TIMES = 6;
const MIB = 2 ** 20;

const service = useTestService();

interface Refusal {
  readonly path: string;
  readonly type?: string;
  readonly credential?: 'none' | 'events:read';
  readonly status: number;
}

const REFUSALS: readonly Refusal[] = [
  { path: '/scan', status: 413 },
  { path: '/events', status: 413 },
  { path: '/scan', credential: 'none', status: 401 },
  { path: '/scan', credential: 'events:read', status: 403 },
  { path: '/scan', type: 'application/zip', status: 415 },
  { path: '/nothing-here', status: 404 },
  { path: '/auth/login', type: 'application/x-www-form-urlencoded', status: 413 },
];

async function headersOf({ type = 'application/json', credential }: Refusal) {
  const token =
    credential === 'events:read'
      ? await service.createCredential(service.tenant.tenantId, ['events:read'])
      : service.tenant.credential;
  return {
    'content-type': type,
    ...(credential === 'none' ? {} : { authorization: `Bearer ${token}` }),
  };
}

function fileOf(bytes: number): string {
  const path = join(newFolder(), 'body');
  writeFileSync(path, Buffer.alloc(bytes, 'a'));
  return path;
}

describe.each(REFUSALS)('$path responds with $status', (refusal) => {
  const body = Buffer.alloc(17 * MIB, 'a');

  test('to fetch, which sends the rest of a large body', async () => {
    const headers = await headersOf(refusal);
    for (let turn = 0; turn < TIMES; turn += 1) {
      const response = await fetch(`${service.baseUrl}${refusal.path}`, { method: 'POST', headers, body });
      expect(response.status).toBe(refusal.status);
      expect((await response.text()).length).toBeGreaterThan(20);
    }
  });

  test('to a client that reads after it has sent everything', async () => {
    const lines = Object.entries(await headersOf(refusal)).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${refusal.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`${head}${lines.join('')}Content-Length: ${body.length}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${refusal.status} `));
  });

  describe('to curl', () => {
    requireProgram('curl');

    test.each([
      ['that waits for 100 Continue', ['-H', 'Expect: 100-continue']],
      ['that does not wait', ['-H', 'Expect:']],
      ['that closes the connection', ['-H', 'Expect:', '-H', 'Connection: close']],
      ['that sends chunks', ['-H', 'Expect:', '-H', 'Transfer-Encoding: chunked']],
    ])('%s', async (_, options) => {
      const headers = Object.entries(await headersOf(refusal)).flatMap(([name, value]) => [
        '-H',
        `${name}: ${value}`,
      ]);
      const file = fileOf(body.length);
      const args = ['-sS', '-o', '-', '-w', '%{http_code}', '--data-binary', `@${file}`];
      for (let turn = 0; turn < TIMES; turn += 1) {
        const { stdout } = await run('curl', [
          ...args,
          ...options,
          ...headers,
          service.baseUrl + refusal.path,
        ]);
        expect(stdout.slice(-3)).toBe(String(refusal.status));
      }
    });
  });
});

describe('through nginx', () => {
  requireProgram('nginx');

  test('a body over the limit gets 413', async () => {
    const [port, servicePort] = [await findFreePort(), await findFreePort()];
    const base = `https://127.0.0.1:${port}/tps`;
    const env = { SERVICE_BIND: `127.0.0.1:${servicePort}`, SERVICE_BASE_URL: base };
    const proxied = await startTestService({ env });
    onTestFinished(() => proxied.stop());
    const authority = createTestAuthority();
    onTestFinished(() => authority.remove());
    const pair = authority.issue();
    const proxy = await startProxy({ program: 'nginx', isPrefixKept: false, pair, port, servicePort });
    onTestFinished(() => proxy.stop());
    const file = fileOf(17 * MIB);
    const args = ['-ksS', '-o', '/dev/null', '-w', '%{http_code}', '--data-binary', `@${file}`];
    const headers = [
      'Expect:',
      'Content-Type: application/json',
      `Authorization: Bearer ${proxied.tenant.credential}`,
    ];
    for (let turn = 0; turn < TIMES; turn += 1) {
      const { stdout } = await run('curl', [
        ...args,
        ...headers.flatMap((line) => ['-H', line]),
        `${base}/scan`,
      ]);
      expect(stdout).toBe('413');
    }
  });
});

describe('a client that sends without end', () => {
  const bounded = useTestService({ env: { SERVICE_CLOSE_TIMEOUT_SECONDS: '1' } });

  /** Sends zeros for as long as the connection lasts, and returns how many. */
  async function sendForever(head: string): Promise<{ bytes: number; text: string }> {
    const { hostname, port } = new URL(bounded.baseUrl);
    const socket = connect(Number(port), hostname);
    let [text, isOver] = ['', false];
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        isOver = true;
      });
    const zeros = Buffer.alloc(65_536);
    const send = () => {
      while (!isOver && socket.write(zeros));
    };
    socket.write(head);
    socket.on('drain', send);
    send();
    await waitUntil(() => isOver);
    return { bytes: socket.bytesWritten, text };
  }

  test.each([
    ['without a credential', '/events', 401],
    ['to a page', '/auth/login', 413],
    ['to the authorization server', '/auth/token', 400],
    ['to its authorization endpoint', '/auth/authorize', 413],
  ])('%s is disconnected after a bounded number of bytes', async (_, path, status) => {
    const type = path === '/events' ? 'application/json' : 'application/x-www-form-urlencoded';
    const length = 10 * 2 ** 40;
    const { bytes, text } = await sendForever(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bytes).toBeLessThan(8 * 2 ** 30);
  });
});
