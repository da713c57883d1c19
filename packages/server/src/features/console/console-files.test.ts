import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { ConsoleFiles } from './console-files.ts';

const SCRIPT = 'console.log("built");';
const PAGE = `<meta name="tps-prefix" content="__TPS_PREFIX__"><meta name="tps-nonce" content="__TPS_NONCE__">
<script type="module" src="./assets/index-x1.js"></script><link href="./assets/index-x2.css" rel="stylesheet">`;

async function build(): Promise<{ folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tps-test-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets/index-x1.js'), SCRIPT);
  await writeFile(join(folder, 'assets/index-x1.js.br'), 'brotli');
  await writeFile(join(folder, 'assets/index-x1.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'assets/index-x2.css'), 'a{}');
  return { folder };
}

const built = useFixture(build, { close: ({ folder }) => rm(folder, { recursive: true }) });

const service = useTestService(() => ({ consoleFolder: built.folder }));

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.baseUrl}${path}`, { method, headers, redirect: 'manual' });
const nonceOf = (response: Response) =>
  /'nonce-([\w-]+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? '';

test.each([
  '/console',
  '/console/',
  '/console/tnt_x/alerts?severity=high',
  '/console/assetsx',
  '/console/index.html',
])('the page is served at %s, with a policy and a new nonce', async (path) => {
  const [first, second] = [await get(path), await get(path)];
  expect(first.status).toBe(200);
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(first.headers.get('x-frame-options')).toBe('DENY');
  const nonce = nonceOf(first);
  expect(first.headers.get('content-security-policy')?.split(';')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ]);
  expect(nonce).toHaveLength(22);
  expect(nonceOf(second)).not.toBe(nonce);
  const html = await first.text();
  expect(html).toContain(`<meta name="tps-nonce" content="${nonce}">`);
  expect(html).toContain('<meta name="tps-prefix" content="">');
  expect(html).toContain('src="/console/assets/index-x1.js"');
  expect(html).toContain('href="/console/assets/index-x2.css"');
});

test('a file is served in the encoding that the browser prefers, and kept for a year', async () => {
  const encodings: [string, string | null][] = [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['brotli', null],
    ['identity', null],
  ];
  for (const [accepted, sent] of encodings) {
    const { headers } = await get('/console/assets/index-x1.js', { 'accept-encoding': accepted }, 'HEAD');
    expect([accepted, headers.get('content-encoding')]).toEqual([accepted, sent]);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  const script = await get('/console/assets/index-x1.js', { 'accept-encoding': 'gzip' });
  expect(await script.text()).toBe(SCRIPT);
  expect((await get('/console/icon.svg')).headers.get('cache-control')).toBe('public, max-age=3600');
});

test.each([
  '/console/assets/gone-x9.js',
  '/console/assets/../index.html',
  '/console/assets/..%2f..%2fpackage.json',
  '/console/assets/index-x1.js.br',
  '/console/assets/',
])('a file that does not exist is not found: %s', async (path) => {
  const { status, headers } = await get(path);
  // The URL parser of the client resolves some of them before they are sent.
  expect(status === 404 || headers.get('content-type') === 'text/html; charset=utf-8').toBe(true);
});

describe('the list of files', () => {
  test.each([
    '../package.json',
    '..\\x.js',
    '/etc/passwd',
    'assets/../../x.js',
    '.vite/manifest.json',
    'index.html',
    'assets',
    '',
  ])('has nothing else: %j', async (name) => {
    expect(await ConsoleFiles.open(built.folder).find(name, 'br')).toBeUndefined();
  });
});

describe('without a build', () => {
  const bare = useTestService({ consoleFolder: '/nonexistent/console' });

  test('the page says which command builds the console', async () => {
    const response = await fetch(`${bare.baseUrl}/console/tnt_x`);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build:console');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('behind a proxy with a prefix', () => {
  const prefixed = useTestService(() => ({
    consoleFolder: built.folder,
    env: { SERVICE_BASE_URL: 'http://127.0.0.1:0/tps' },
  }));

  test('addresses begin with the prefix', async () => {
    // The proxy removes the prefix.
    const { origin } = new URL(prefixed.baseUrl);
    const html = await (await fetch(`${origin}/console/x`)).text();
    expect(html).toContain('<meta name="tps-prefix" content="/tps">');
    expect(html).toContain('src="/tps/console/assets/index-x1.js"');
    const root = await fetch(origin, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect(root.headers.get('location')).toBe('/tps/console');
  });
});
