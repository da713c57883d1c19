import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const ORIGIN = 'https://console.example.com';
const service = useTestService({ env: { SERVICE_CORS_ORIGINS: `${ORIGIN},http://localhost:5173` } });

const send = (method: string, path: string, headers: Record<string, string>) =>
  fetch(`${service.baseUrl}${path}`, { method, headers });
const preflight = (path: string, origin = ORIGIN) =>
  send('OPTIONS', path, { origin, 'access-control-request-method': 'POST' });
const corsHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

describe('a preflight', () => {
  test('of a listed origin needs no credential, is counted, and lists what is allowed', async () => {
    const response = await preflight('/events');
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(corsHeaders(response)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': expect.stringMatching(/^Authorization, .*Idempotency-Key/),
      'access-control-expose-headers': expect.any(String),
      'access-control-max-age': '600',
    });
    expect(response.headers.get('vary')).toContain('Origin');
    const next = await preflight('/events');
    const remaining = (of: Response) => Number(of.headers.get('x-ratelimit-remaining'));
    expect(remaining(next)).toBeLessThan(remaining(response));
  });

  test('lets a page prove that it holds the key of its token', async () => {
    for (const path of ['/events', '/auth/token']) {
      const allowed = (await preflight(path)).headers.get('access-control-allow-headers');
      expect(allowed?.split(', '), path).toEqual(expect.arrayContaining(['Authorization', 'DPoP']));
    }
  });

  test.each([
    'https://evil.example',
    'https://console.example.com.evil.example',
    'http://console.example.com',
    'https://console.example.com:444',
    'HTTPS://CONSOLE.EXAMPLE.COM',
    'null',
  ])('of the origin %s is refused', async (origin) => {
    const response = await preflight('/events', origin);
    expect(response.status).toBe(405);
    expect(corsHeaders(response)).toEqual({});
    expect(response.headers.get('vary')).toBe('Origin');
  });

  test('of an unknown path is 404, and OPTIONS without its headers is 405', async () => {
    expect((await preflight('/nothing')).status).toBe(404);
    expect((await send('OPTIONS', '/events', { origin: ORIGIN })).status).toBe(405);
  });
});

describe('a response', () => {
  test.each([
    ['/healthz', {}, 200],
    ['/status', {}, 401],
    ['/nothing', {}, 404],
  ])(
    'of %s can be read by a listed origin, with its headers, never with cookies',
    async (path, extra, status) => {
      const response = await send('GET', path, { origin: ORIGIN, ...extra });
      expect(response.status).toBe(status);
      expect(corsHeaders(response)).toEqual({
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': expect.any(String),
      });
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'Date',
          'X-Request-Id',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'Retry-After',
          'ETag',
          'Location',
          'Link',
          'Deprecation',
          'Sunset',
        ]),
      );
      expect(response.headers.get('vary')).toContain('Origin');
    },
  );

  test('to another origin, or to none, says only that it depends on the origin', async () => {
    for (const headers of [{}, { origin: 'https://evil.example' }]) {
      const response = await send('GET', '/healthz', headers);
      expect(corsHeaders(response)).toEqual({});
      expect(response.headers.get('vary')).toBe('Origin');
    }
  });

  test('to a browser at the root depends on both', async () => {
    const response = await fetch(`${service.baseUrl}/`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect(response.headers.get('vary')).toBe('Origin, Accept');
  });
});
