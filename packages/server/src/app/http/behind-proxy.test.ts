import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const forwarded = (scheme: string) => ({ headers: { 'x-forwarded-proto': scheme } });
const https = { SERVICE_BIND: '127.0.0.1:0', SERVICE_BASE_URL: 'https://127.0.0.1:0' };

describe('behind a trusted proxy with an https address', () => {
  const service = useTestService({ env: { ...https, SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' } });
  const send = async (path: string, scheme: string) => {
    const plain = service.baseUrl.replace('https:', 'http:');
    const response = await fetch(`${plain}${path}`, forwarded(scheme));
    return { status: response.status, text: await response.text() };
  };

  test.each(['http', 'HTTP', 'https, http'])(
    'a request that reached it with %s is rejected',
    async (scheme) => {
      for (const path of ['/status', '/auth/login', '/console'])
        expect(await send(path, scheme), path).toMatchObject({ status: 400 });
      expect((await send('/status', scheme)).text).toContain('plaintext_rejected');
    },
  );

  test('a request that reached it with TLS is served', async () => {
    expect(await send('/healthz', 'https')).toMatchObject({ status: 200 });
    expect(await send('/healthz', 'http, https')).toMatchObject({ status: 200 });
  });
});

describe('without a trusted proxy', () => {
  const service = useTestService();

  test('X-Forwarded-Proto is ignored', async () => {
    expect((await fetch(`${service.baseUrl}/healthz`, forwarded('http'))).status).toBe(200);
  });
});
