import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { issueSelfSigned } from '@tps/testing/network';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { chainEndsAtMs, loadTlsContext } from './tls-files.ts';
import { type TlsWatch, watchTlsFiles } from './tls-watch.ts';

let folder: string;
const pair = (name: string) => ({
  certFile: join(folder, `${name}.crt`),
  keyFile: join(folder, `${name}.key`),
});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tps-tls-'));
  for (const name of ['first', 'second', 'third']) {
    const { certFile, keyFile } = pair(name);
    const { cert, key } = issueSelfSigned({ commonName: name });
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
  }
  writeFileSync(join(folder, 'garbage.pem'), 'no PEM at all');
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('loading', () => {
  const now = () => Date.now();

  test('a matching pair is loaded, for TLS 1.2 and above', () => {
    const { context, warnings } = loadTlsContext(pair('first'), now());
    expect(context.minVersion).toBe('TLSv1.2');
    expect(warnings).toEqual([]);
  });

  test('a key of another certificate is rejected, and both files are named', () => {
    const files = { certFile: pair('first').certFile, keyFile: pair('second').keyFile };
    expect(() => loadTlsContext(files, now())).toThrow(/second\.key does not belong to .*first\.crt/);
  });

  test('files that are missing or contain something else are named', () => {
    const garbage = join(folder, 'garbage.pem');
    expect(() => loadTlsContext({ ...pair('first'), certFile: garbage }, now())).toThrow(
      /garbage\.pem contains no PEM cert/,
    );
    expect(() => loadTlsContext({ ...pair('first'), keyFile: garbage }, now())).toThrow(
      /garbage\.pem contains no usable/,
    );
    expect(() => loadTlsContext({ ...pair('first'), keyFile: '/nowhere' }, now())).toThrow(
      /\/nowhere cannot be read/,
    );
  });

  test('an expired, an expiring and a future certificate are served with a warning', () => {
    const at = (days: number) => {
      const { warnings, isValid } = loadTlsContext(pair('first'), now() + days * 86_400_000);
      return { warnings, isValid };
    };
    expect(at(91)).toEqual({ warnings: [expect.stringContaining('expired')], isValid: false });
    expect(at(80)).toEqual({ warnings: [expect.stringContaining('expires')], isValid: true });
    expect(at(-2)).toEqual({ warnings: [expect.stringContaining('valid only from')], isValid: false });
  });
});

test('a chain ends with the first of its certificates', () => {
  const [short, long] = [issueSelfSigned({ days: 5 }), issueSelfSigned({ days: 50 })];
  const inDays = (cert: string) => (chainEndsAtMs(cert) - Date.now()) / 86_400_000;
  expect(inDays(long.cert)).toBeCloseTo(50, 1);
  expect(inDays(`${long.cert}\n${short.cert}`)).toBeCloseTo(5, 1);
});

describe('watching', () => {
  let server: Server;
  let watch: TlsWatch;
  let lines: string[] = [];

  afterEach(async () => {
    watch.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  async function serve(files: { certFile: string; keyFile: string }, intervalMs: number) {
    lines = [];
    const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    const served = loadTlsContext(files, Date.now()).context;
    server = createServer(served);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    watch = watchTlsFiles({ server, files, served, logger, intervalMs });
  }

  /** The common name that a new connection gets. */
  function presented(): Promise<unknown> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  function install(name: string, live: { certFile: string; keyFile: string }, part: 'certFile' | 'keyFile') {
    cpSync(pair(name)[part], live[part]);
  }

  async function liveCopy() {
    const live = pair(`live-${Math.random()}`);
    install('first', live, 'certFile');
    install('first', live, 'keyFile');
    return live;
  }

  test('a renewed pair is served to new connections, written one file after the other', async () => {
    const live = await liveCopy();
    await serve(live, 10);
    expect(await presented()).toBe('first');
    install('second', live, 'certFile');
    await expect.poll(() => lines.join()).toContain('still serving the old certificate');
    expect(await presented()).toBe('first');
    install('second', live, 'keyFile');
    await expect.poll(() => presented()).toBe('second');
  });

  test('a folder swapped behind a symbolic link, as in Kubernetes, is detected', async () => {
    for (const [version, name] of [
      ['v1', 'first'],
      ['v2', 'third'],
    ] as const) {
      mkdirSync(join(folder, version));
      cpSync(pair(name).certFile, join(folder, version, 'tls.crt'));
      cpSync(pair(name).keyFile, join(folder, version, 'tls.key'));
      symlinkSync(version, join(folder, `${version}-link`));
    }
    renameSync(join(folder, 'v1-link'), join(folder, '..data'));
    symlinkSync('..data/tls.crt', join(folder, 'tls.crt'));
    symlinkSync('..data/tls.key', join(folder, 'tls.key'));
    await serve({ certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }, 10);
    expect(await presented()).toBe('first');
    renameSync(join(folder, 'v2-link'), join(folder, '..data'));
    await expect.poll(() => presented()).toBe('third');
  });

  test('an unusable pair is logged once, without the key, and the old one stays', async () => {
    const live = await liveCopy();
    await serve(live, 10);
    writeFileSync(live.keyFile, 'open-sesame');
    await expect.poll(() => lines).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error' });
    expect(lines.join()).not.toContain('open-sesame');
    expect(await presented()).toBe('first');
  });

  test('an explicit reload reads the files at once', async () => {
    const live = await liveCopy();
    await serve(live, 3_600_000);
    install('second', live, 'certFile');
    install('second', live, 'keyFile');
    watch.reload();
    expect(await presented()).toBe('second');
    expect(watch.served().cert).toBe(readFileSync(live.certFile, 'utf8'));
  });
});
