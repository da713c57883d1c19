import type { AddressInfo } from 'node:net';
import { useFixture } from '@tps/testing/fixture';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logger.ts';
import { LocalLimiter } from '../../platform/rate-limit/local-limiter.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { formTokenField } from '../../platform/web/form-token.ts';
import { html } from '../../platform/web/html.ts';
import { toReturnPath } from '../../platform/web/return-path.ts';
import { toPage, type WebSite, webRoute } from '../../platform/web/web-route.ts';
import { mountWeb } from './mount-web.ts';

const FORM = 'application/x-www-form-urlencoded';
const lines: string[] = [];

const pages = [
  webRoute('GET', '/form', async (request) =>
    toPage('A <form>', html`<form method="post">${formTokenField(request)}</form>`),
  ),
  webRoute('POST', '/form', async ({ form }) => toPage('Sent', html`<p>${form.get('name')}</p>`)),
  webRoute('GET', '/leads-away', async () => toPage('Away', html``, { formTargets: ['http://127.0.0.1:9'] })),
  webRoute('GET', '/refused', async () => {
    throw new ServiceError('not_found', 'There is no <such> thing.');
  }),
  webRoute('GET', '/broken', async () => {
    throw new Error('the secret reason');
  }),
];

const server = useFixture(
  async () => {
    const app = Fastify();
    const site = {
      get url() {
        return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/auth`;
      },
      isSecure: false,
      path: (page: string) => `/auth${page}`,
      consolePath: '/console',
    };
    await app.register((scope) =>
      mountWeb(scope, {
        site,
        mountPath: '/auth',
        routes: pages,
        formKey: Buffer.alloc(32, 1),
        limiter: new LocalLimiter({ clock: systemClock }),
        trustProxy: false,
        logger: createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
      }),
    );
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    return { app, origin };
  },
  { close: ({ app }) => app.close() },
);

/** Opens the form and returns what a browser has then. */
async function open(): Promise<{ cookie: string; token: string; response: Response; text: string }> {
  const response = await fetch(`${server.origin}/auth/form`);
  const text = await response.text();
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { cookie, token: /value="([^"]+)"/.exec(text)?.[1] ?? '', response, text };
}

function post(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.origin}/auth/form`, {
    method: 'POST',
    headers: { 'content-type': FORM, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

describe('a page', () => {
  test('escapes what it shows, runs no foreign script and cannot be framed', async () => {
    const { response, text } = await open();
    expect(text).toContain('<h1>A &lt;form&gt;</h1>');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none';script-src 'self'");
    expect(policy).toContain("form-action 'self';frame-ancestors 'none'");
    expect(response.headers.get('set-cookie')).toMatch(
      /^tps-browser=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('allows its form to lead to the origins that it names, and no others', async () => {
    const response = await fetch(`${server.origin}/auth/leads-away`);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' http://127.0.0.1:9;");
  });

  test.each([
    ['/refused', 404, 'There is no &lt;such&gt; thing.'],
    ['/broken', 500, 'Something failed on our side.'],
  ])('that fails is a page as well: %s', async (path, status, text) => {
    const response = await fetch(`${server.origin}/auth${path}`);
    expect(response.status).toBe(status);
    const body = await response.text();
    expect(body).toContain(text);
    expect(body).not.toContain('secret reason');
  });
});

describe('a form', () => {
  test('is accepted from the browser that has opened it', async () => {
    const { cookie, token } = await open();
    const response = await post({ form_token: token, name: '<b>' }, { cookie });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<p>&lt;b&gt;</p>');
  });

  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that the browser hides', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the domain', { 'sec-fetch-site': 'same-site' }],
  ])('is refused from %s', async (_, headers) => {
    const { cookie, token } = await open();
    expect((await post({ form_token: token }, { cookie, ...headers })).status).toBe(403);
  });

  test('is refused without its token, with that of another browser, and without the cookie', async () => {
    const [own, other] = [await open(), await open()];
    expect((await post({}, { cookie: own.cookie })).status).toBe(403);
    expect((await post({ form_token: other.token }, { cookie: own.cookie })).status).toBe(403);
    expect((await post({ form_token: own.token })).status).toBe(403);
    expect((await post({ form_token: own.token }, { cookie: 'tps-browser=chosen-by-someone' })).status).toBe(
      403,
    );
  });

  test('is refused when it is too large, and any other media type', async () => {
    const { cookie, token } = await open();
    expect((await post({ form_token: token, name: 'x'.repeat(40_000) }, { cookie })).status).toBe(413);
    const json = { 'content-type': 'application/json', cookie };
    expect((await post({ form_token: token }, json)).status).toBe(415);
  });
});

describe('the path that a page leads back to', () => {
  const site: WebSite = {
    url: 'https://tps.example/x/auth',
    isSecure: true,
    path: (page) => `/x/auth${page}`,
    consolePath: '/x/console',
  };

  test.each([
    '/x/auth/login',
    '/x/auth/interaction/a-b_c?x=1&y=%2F',
    '/x/console',
    '/x/console/events?severity=high%2Ccritical',
  ])('may be one of ours: %s', (path) => {
    expect(toReturnPath(site, path)).toBe(path);
  });

  test.each([
    null,
    '',
    'https://evil.example/x/auth/',
    '//evil.example/x/auth/',
    '/\\evil.example/x/auth/',
    '/x/auth/../../evil',
    '/x/auth/%2e%2e/%2e%2e/events',
    '/events',
    '/x/authorize',
    '/x/consoles',
    '/x/console/../events',
    '/console',
    '/x/auth/\r\nset-cookie: a=b',
    'javascript:alert(1)',
    `/x/auth/${'a'.repeat(9000)}`,
  ])('is never another one: %j', (path) => {
    expect(toReturnPath(site, path)).toBe('/x/console');
  });
});
