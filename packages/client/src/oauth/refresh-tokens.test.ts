import { expect, test, vi } from 'vitest';
import {
  AT_ONCE,
  HANG_UP,
  type ReceivedRequest,
  type Reply,
  startScriptedService,
} from '../testing/scripted-service.ts';
import { type RefreshTokensOptions, refreshTokens, revokeOAuthToken } from './refresh-tokens.ts';

type SavedTokens = Parameters<RefreshTokensOptions['save']>[0];

/** A token endpoint that replaces the refresh token at each use. `before` are its first answers. */
async function startRotating(...before: Reply[]) {
  let issued = 1;
  const service = await startScriptedService(({ body }: ReceivedRequest): Reply => {
    const early = before.shift();
    if (early !== undefined) return early;
    if (new URLSearchParams(body).get('refresh_token') !== `refresh-${issued}`) {
      return { status: 400, json: { error: 'invalid_grant' } };
    }
    issued += 1;
    const tokens = { access_token: `access-${issued}`, refresh_token: `refresh-${issued}` };
    return { json: { ...tokens, token_type: 'Bearer', expires_in: 3600 } };
  });
  const saved: SavedTokens[] = [];
  const open = (changes: Partial<RefreshTokensOptions> = {}) =>
    refreshTokens({
      authUrl: `${service.url}/auth`,
      clientId: 'cli_1',
      tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', expiresAtMs: Date.now() - 1 },
      save: (tokens) => void saved.push(tokens),
      retry: AT_ONCE,
      ...changes,
    });
  const forms = () => service.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  return { ...service, open, saved, forms };
}

test('a valid token is used; calls after its end share one refresh, which is saved', async () => {
  const { open, saved, forms } = await startRotating();
  const fresh = open({
    tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', expiresAtMs: Date.now() + 3_600_000 },
  });
  expect(await fresh.token([])).toBe('access-1');
  fresh.reject('access-1');
  const tokens = await Promise.all(Array.from({ length: 5 }, () => fresh.token([])));
  expect(tokens).toEqual(Array.from({ length: 5 }, () => 'access-2'));
  expect(forms()).toEqual([{ grant_type: 'refresh_token', refresh_token: 'refresh-1', client_id: 'cli_1' }]);
  expect(saved).toMatchObject([{ accessToken: 'access-2', refreshToken: 'refresh-2' }]);
  fresh.reject('access-2');
  expect(await fresh.token([])).toBe('access-3');
});

test('a token is not used before it is saved, and a failed save is repeated without a refresh', async () => {
  const save = vi.fn<RefreshTokensOptions['save']>().mockRejectedValueOnce(new Error('disk full'));
  const { open, received } = await startRotating();
  const source = open({ save });
  await expect(source.token([])).rejects.toThrow('disk full');
  expect(await source.token([])).toBe('access-2');
  expect(save).toHaveBeenCalledTimes(2);
  expect(received).toHaveLength(1);
});

test('a refresh whose answer was lost is repeated', async () => {
  const { open, received } = await startRotating(HANG_UP, { status: 503 });
  expect(await open().token([])).toBe('access-2');
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test('the end of the grant is an error with its code and without a token', async () => {
  const { open } = await startRotating({ status: 400, json: { error: 'invalid_grant' } });
  const error = await open()
    .token([])
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'OAuthError', code: 'invalid_grant' });
  expect(JSON.stringify(error) + String(error)).not.toContain('refresh-1');
});

test('a secret goes into the form, or form-encoded into the Basic header', async () => {
  const { open, received, forms } = await startRotating();
  const clientSecret = 'a b&ü:';
  await open({ clientSecret }).token([]);
  expect(forms()[0]).toMatchObject({ client_id: 'cli_1', client_secret: clientSecret });
  const tokens = { accessToken: 'access-2', refreshToken: 'refresh-2', expiresAtMs: 0 };
  await open({ clientSecret, authMethod: 'client_secret_basic', tokens }).token([]);
  expect(forms()[1]).not.toHaveProperty('client_secret');
  const [, basic = ''] = received[1]?.headers.authorization?.split(' ') ?? [];
  expect(atob(basic)).toBe('cli_1:a+b%26%C3%BC%3A');
});

test('a token is revoked in the form', async () => {
  const { url, received } = await startScriptedService([{}]);
  await revokeOAuthToken({ authUrl: `${url}/auth`, clientId: 'cli_1' }, 'refresh-1');
  expect(received[0]).toMatchObject({ path: '/auth/revoke', body: 'token=refresh-1&client_id=cli_1' });
});
