import { request as httpRequest } from 'node:http';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Requests a path exactly as written: `fetch` would normalise it. */
function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.baseUrl);
    const authorization = `Bearer ${service.tenant.credential}`;
    const request = httpRequest(
      { hostname, port, method, path, headers: { authorization, ...headers } },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

/** One request for each kind of response. */
const KINDS: readonly {
  kind: string;
  status: number;
  method: string;
  path: string;
  headers?: Record<string, string>;
}[] = [
  { kind: 'a page', status: 200, method: 'GET', path: '/events' },
  { kind: 'an open route', status: 200, method: 'GET', path: '/healthz' },
  { kind: 'the documentation', status: 200, method: 'GET', path: '/docs/' },
  { kind: 'a redirect', status: 301, method: 'GET', path: '/docs' },
  { kind: 'a bad parameter', status: 400, method: 'GET', path: '/events?limit=0' },
  {
    kind: 'a bad credential',
    status: 401,
    method: 'GET',
    path: '/events',
    headers: { authorization: 'Bearer x' },
  },
  { kind: 'an exposed credential', status: 400, method: 'GET', path: '/events?key=svc_live_x' },
  { kind: 'an unknown id', status: 404, method: 'GET', path: '/events/evt_x' },
  { kind: 'an unknown path', status: 404, method: 'GET', path: '/nothing' },
  { kind: 'a path that cannot be decoded', status: 404, method: 'GET', path: '/events/%zz' },
  { kind: 'a wrong method', status: 405, method: 'PUT', path: '/events' },
  { kind: 'HEAD', status: 200, method: 'HEAD', path: '/events' },
  {
    kind: 'no media type',
    status: 415,
    method: 'POST',
    path: '/policies',
    headers: { 'content-type': 'text/x', 'content-length': '0' },
  },
  {
    kind: 'too large',
    status: 413,
    method: 'POST',
    path: '/policies',
    headers: { 'content-type': 'application/json', 'content-length': '9999999' },
  },
];

describe.each(KINDS)('$kind ($status)', ({ status, method, path, headers }) => {
  test('has its request id, the rate limit, and headers that restrict browsers', async () => {
    const answer = await ask(method, path, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-request-id']).toMatch(/^req_[A-Za-z0-9_-]{12}$/);
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      expect(answer.headers[name], name).toMatch(/^\d+$/);
    }
    const reset = Number(answer.headers['x-ratelimit-reset']);
    expect(Math.abs(reset - Date.now() / 1000)).toBeLessThan(62);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.headers['strict-transport-security'], 'over plain HTTP').toBeUndefined();
  });

  test('allows no other origin and has the request id of the client', async () => {
    const asked = { origin: 'https://evil.example', 'x-request-id': 'mine.1', ...headers };
    const answer = await ask(method, path, asked);
    const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
    expect(names).toEqual([]);
    expect(answer.headers['x-request-id']).toBe('mine.1');
  });
});

test('a preflight is rejected like any other unsupported method', async () => {
  const answer = await ask('OPTIONS', '/events', {
    origin: 'https://evil.example',
    'access-control-request-method': 'GET',
  });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe('GET, HEAD, POST');
});

test('every request has its own id, which the log contains', async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, () => ask('GET', '/status')));
  const distinct = new Set(ids.map(({ headers }) => String(headers['x-request-id'])));
  expect(distinct.size).toBe(50);
  for (const id of distinct) expect(service.log()).toContain(id);
});

describe('an X-Request-Id of the client', () => {
  test.each(['1', '0d3f8c1e-4b1f-4a54-9d5b-0f6a0d3c7b11', 'Job_7.step-2', 'x'.repeat(128)])(
    'is the id of the request in answer and log: %s',
    async (id) => {
      const answer = await ask('GET', '/events/evt_x', { 'x-request-id': id });
      expect(answer.headers['x-request-id']).toBe(id);
      expect(service.log()).toContain(`"requestId":"${id}"`);
    },
  );

  test.each([
    ['empty', ''],
    ['too long', 'x'.repeat(129)],
    ['two ids', 'one, two'],
    ['markup', '<b>1</b>'],
    ['a quote', 'a"b'],
    ['a space', 'a b'],
    ['a control character', 'a\tb'],
    ['a path', '../../etc'],
    ['another alphabet', 'caf\u00e9'],
    ['one of ours', 'req_AAAAAAAAAAAA'],
    ['one of ours in capitals', 'REQ_AAAAAAAAAAAA'],
    ['a credential', `svc_live_${'a'.repeat(39)}`],
  ])('is replaced when it is %s', async (_kind, id) => {
    const answer = await ask('GET', '/events/evt_x', { 'x-request-id': id });
    expect(answer.headers['x-request-id']).toMatch(/^req_[A-Za-z0-9_-]{12}$/);
    expect(answer.headers['x-request-id']).not.toBe(id);
    if (id !== '') expect(service.log()).not.toContain(`"requestId":"${id}"`);
  });

  test('is in the audit entry of the change', async () => {
    const { credential } = service.tenant;
    const body = { name: 'new', scopes: ['events:read'] };
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
    const response = await fetch(`${service.baseUrl}/tokens`, {
      method: 'POST',
      headers: { ...headers, 'x-request-id': 'deploy-42' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    const audit = await service.client.send('GET', '/tokens/audit', { credential });
    expect(audit.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ request_id: 'deploy-42' })]),
    });
  });
});

describe('HEAD', () => {
  const volatile = /^(?:date|x-request-id|x-ratelimit-(?:remaining|reset))$/;
  const lasting = ({ headers }: RawAnswer) =>
    Object.entries(headers).filter(([name]) => !volatile.test(name));

  test.each([
    '/events',
    '/events?limit=0',
    '/policies',
    '/devices/dev_nobody',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/docs',
    '/docs/',
    '/nothing',
  ])('%s has the status and headers of GET, and no body', async (path) => {
    const [head, get] = [await ask('HEAD', path), await ask('GET', path)];
    expect(head.body).toBe('');
    expect(head.status).toBe(get.status);
    expect(lasting(head)).toEqual(lasting(get));
  });

  test('of a version that the client has is 304', async () => {
    const { headers } = await ask('HEAD', '/policies');
    const again = await ask('HEAD', '/policies', { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
  });
});

test('the root leads browsers to the console', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const answer = await ask('GET', '/', { accept });
  expect(answer.status).toBe(302);
  expect(answer.headers.location).toBe('/console');
});

test.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
  'the root has the addresses for programs: %j',
  async (headers) => {
    const answer = await ask('GET', '/', headers);
    expect(answer.status).toBe(200);
    const { service: name, ...links } = JSON.parse(answer.body) as Record<string, string>;
    expect(name).toBe('Threat Protection Service');
    const paths = Object.values(links).map((link) => new URL(link).pathname);
    expect(paths).toEqual(['/console', '/docs', '/openapi.json', '/healthz']);
    for (const path of paths) expect((await ask('GET', path)).status, path).toBeLessThan(400);
  },
);

describe('behind a proxy that removes a path prefix', () => {
  const behind = useTestService({ env: { SERVICE_BASE_URL: 'http://127.0.0.1:0/tps' } });

  test('the root has addresses with the prefix', async () => {
    const answer = await fetch(new URL('/', behind.baseUrl));
    const { console, docs, openapi, health } = (await answer.json()) as Record<string, string>;
    const paths = [console, docs, openapi, health].map((link) => new URL(String(link)).pathname);
    expect(paths).toEqual(['/tps/console', '/tps/docs', '/tps/openapi.json', '/tps/healthz']);
  });
});

describe('an unknown path', () => {
  test.each([
    '/nothing',
    '/Events',
    '/events//',
    '//events',
    '/events/evt_a/b',
    '/v1/events',
    '/%',
    '/%zz',
    '/docs/../events',
    '/metrics',
    `/${'x'.repeat(8000)}`,
  ])('%s is 404', async (path) => {
    const answer = await ask('GET', path);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'not_found', status: 404 } });
  });

  test.each(['TRACE', 'PROPFIND', 'PURGE', 'SEARCH'])(
    'by %s is 404, and a known path 405',
    async (method) => {
      expect((await ask(method, '/nothing')).status).toBe(404);
      const answer = await ask(method, '/tokens/audit');
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    },
  );

  test.each([
    ['POST', '/nothing', 404],
    ['PUT', '/events', 405],
  ])('has the same response with any body: %s %s is %d', async (method, path, status) => {
    for (const [type, body] of [
      ['text/plain', 'x'],
      ['application/json', '{broken'],
      ['application/json', ''],
    ]) {
      const headers = { 'content-type': type ?? '' };
      const response = await fetch(`${service.baseUrl}${path}`, { method, headers, body: body ?? '' });
      expect(response.status, `${type} ${body}`).toBe(status);
    }
  });
});

describe('an id in the path', () => {
  test.each([
    '',
    'dev_',
    'evt_one',
    'dev_%00',
    'dev_%2F',
    'dev_%25zz',
    'dev_%C3%A4',
    'dev_a%20b',
    "dev_'--",
    'dev_..',
    `dev_${'x'.repeat(65)}`,
    'x'.repeat(8000),
    'dev_a;b',
  ])('%j belongs to no device and gets the same response as an unknown id', async (id) => {
    const answer = await ask('GET', `/devices/${id}`);
    expect(answer.status).toBe(404);
    expect(answer.body).toBe((await ask('GET', '/devices/dev_nobody')).body);
  });
});

describe('problem details', () => {
  const asking = { accept: 'application/problem+json' };

  test('are sent to clients that ask for them, with the same code', async () => {
    const answer = await ask('GET', '/events?limit=0', asking);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json\b/);
    const { detail } = JSON.parse(answer.body);
    expect(JSON.parse(answer.body)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: expect.stringContaining('limit'),
      code: 'invalid_parameter',
      errors: [{ field: 'limit', code: 'invalid_parameter', message: detail }],
    });
  });

  test.each(KINDS.filter(({ status, method }) => status >= 400 && method !== 'HEAD'))(
    'fit the contract for $kind',
    async ({ method, path, headers, status }) => {
      const answer = await ask(method, path, { ...headers, ...asking });
      expect(JSON.parse(answer.body)).toMatchObject({ status, code: expect.any(String) });
    },
  );

  test('are not sent to other clients', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html', '']) {
      const answer = await ask('GET', '/events?limit=0', { accept });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(Object.keys(JSON.parse(answer.body))).toEqual(['error']);
    }
  });
});
