import { afterEach, expect, test, vi } from 'vitest';
import { AT_ONCE, HANG_UP, type Reply, startScriptedService } from '../testing/scripted-service.ts';
import { deviceAuthorization } from './device-authorization.ts';
import { findAuthUrl } from './find-auth-url.ts';

afterEach(() => {
  vi.useRealTimers();
});

const refused = (error: string): Reply => ({ status: 400, json: { error } });
const BEGIN: Reply = {
  json: {
    device_code: 'device-1',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://tps.example/auth/device',
    verification_uri_complete: 'https://tps.example/auth/device?user_code=WDJB-MJHT',
    expires_in: 600,
    interval: 1,
  },
};
const TOKENS: Reply = {
  json: { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 3600 },
};

/** Begins the grant, answers the polls with these, and runs the clock without waiting. */
async function poll(...replies: Reply[]) {
  const service = await startScriptedService([BEGIN, ...replies]);
  const grant = await deviceAuthorization({
    authUrl: `${service.url}/auth`,
    clientId: 'tps-cli',
    scopes: ['status:read', 'events:read'],
    retry: AT_ONCE,
  });
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const startedAtMs = Date.now();
  let isDone = false;
  const tokens = grant.tokens().finally(() => {
    isDone = true;
  });
  tokens.catch(() => {});
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(100);
  }
  return { ...service, grant, tokens, waitedMs: () => Date.now() - startedAtMs };
}

test('begins with the scopes, returns what the person needs, and polls until approved', async () => {
  const { received, grant, tokens } = await poll(refused('authorization_pending'), HANG_UP, TOKENS);
  expect(grant).toMatchObject({ userCode: 'WDJB-MJHT', verificationUri: 'https://tps.example/auth/device' });
  await expect(tokens).resolves.toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
  expect(received.map(({ path }) => path)).toEqual([
    '/auth/device/code',
    '/auth/token',
    '/auth/token',
    '/auth/token',
  ]);
  expect(new URLSearchParams(received[0]?.body).get('scope')).toBe('status:read events:read');
  expect(Object.fromEntries(new URLSearchParams(received[1]?.body))).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: 'device-1',
    client_id: 'tps-cli',
  });
});

test('slow_down makes every further pause five seconds longer', async () => {
  const { waitedMs } = await poll(refused('slow_down'), refused('authorization_pending'), TOKENS);
  expect(waitedMs()).toBeGreaterThanOrEqual(12_000);
});

test.each(['access_denied', 'expired_token', 'invalid_client'])('%s ends the polling', async (code) => {
  const { tokens, received } = await poll(refused('authorization_pending'), refused(code));
  await expect(tokens).rejects.toMatchObject({ code });
  expect(received).toHaveLength(3);
});

test('the polling ends with the code, even if the server never says so', async () => {
  const { tokens, waitedMs } = await poll(
    ...Array.from({ length: 700 }, () => refused('authorization_pending')),
  );
  await expect(tokens).rejects.toMatchObject({ code: 'expired_token' });
  expect(waitedMs()).toBeLessThan(660_000);
});

test('an aborted wait rejects with the reason', async () => {
  const { url } = await startScriptedService([BEGIN, refused('authorization_pending')]);
  const grant = await deviceAuthorization({ authUrl: `${url}/auth`, clientId: 'tps-cli' });
  const signal = AbortSignal.abort(new Error('called off'));
  await expect(grant.tokens({ signal })).rejects.toThrow('called off');
});

test('the address of the authorization server comes from its metadata, and must be safe', async () => {
  const issuer = (text: string): Reply => ({ json: { issuer: text } });
  const { url } = await startScriptedService([
    issuer('https://login.example/auth'),
    issuer('http://login.example/auth'),
    { status: 404 },
    { text: '<html>' },
  ]);
  await expect(findAuthUrl({ baseUrl: url })).resolves.toBe('https://login.example/auth');
  await expect(findAuthUrl({ baseUrl: url })).rejects.toThrow('https');
  for (let rest = 0; rest < 2; rest += 1) {
    await expect(findAuthUrl({ baseUrl: url })).rejects.toMatchObject({ code: 'answer_not_understood' });
  }
});
