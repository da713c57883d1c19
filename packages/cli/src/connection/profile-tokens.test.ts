import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { newFolder } from '@tps/testing/fixture';
import { createTestContext } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';
import { describeFailure } from '../output/describe-failure.ts';
import { currentCredential, resolveConnection } from './connection.ts';
import { profileTokens } from './profile-tokens.ts';
import { readProfiles, updateProfiles, writeProfiles } from './profiles.ts';

/** A token endpoint that replaces the refresh token at each use, and ends the sign-in at a second use. */
async function startRotating({ onRequest }: { onRequest?: () => Promise<void> } = {}) {
  let issued = 1;
  let isEnded = false;
  const server = createServer(async (request, response) => {
    const used = new URLSearchParams(await text(request)).get('refresh_token');
    // The second of two simultaneous requests arrives before the answer of the first.
    await new Promise((resolve) => setImmediate(resolve));
    isEnded ||= used !== `refresh-${issued}`;
    if (!isEnded) issued += 1;
    await onRequest?.();
    response.writeHead(isEnded ? 400 : 200, { 'content-type': 'application/json' });
    const tokens = { access_token: `access-${issued}`, refresh_token: `refresh-${issued}` };
    response.end(
      JSON.stringify(
        isEnded ? { error: 'invalid_grant' } : { ...tokens, token_type: 'Bearer', expires_in: 3600 },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, end: () => (isEnded = true) };
}

async function signedIn(url: string, expiresAtMs = Date.now() - 1) {
  const env = { XDG_CONFIG_HOME: newFolder() };
  const oauth = { auth_url: `${url}/auth`, refresh_token: 'refresh-1', expires_at_ms: expiresAtMs };
  const other = { url, credential: 'svc_live_other' };
  const profile = { url, credential: 'access-1', oauth };
  await writeProfiles(env, { current: 'one', profiles: { one: profile, other } });
  return env;
}

test('several processes spend a refresh token once, and change the profiles meanwhile', async () => {
  const { url } = await startRotating();
  const env = await signedIn(url);
  // Each source is what one process has; they share nothing but the file.
  const tokens = await Promise.all([
    ...Array.from({ length: 6 }, () => profileTokens(env, 'one').token([])),
    updateProfiles(env, (all) => ({ ...all, current: 'other' })).then(() => 'changed'),
  ]);
  expect(new Set(tokens)).toEqual(new Set(['access-2', 'changed']));
  const { current, profiles } = await readProfiles(env);
  expect(current).toBe('other');
  expect(profiles).toMatchObject({
    one: { credential: 'access-2', oauth: { refresh_token: 'refresh-2' } },
    other: { credential: 'svc_live_other' },
  });
});

test('a command that is interrupted lets no other one use the refresh token again', async () => {
  const stop = new AbortController();
  // The service has replaced the refresh token, and its answer is under way.
  const { url } = await startRotating({
    async onRequest() {
      stop.abort();
      await setTimeout(200);
    },
  });
  const env = await signedIn(url);
  const interrupted = profileTokens(env, 'one')
    .token([stop.signal])
    .catch(() => 'interrupted');
  await once(stop.signal, 'abort');
  await expect(profileTokens(env, 'one').token([])).resolves.toBe('access-2');
  await interrupted;
  expect((await readProfiles(env)).profiles.one).toMatchObject({ credential: 'access-2' });
});

test('a valid access token is used as it is; a rejected one is renewed', async () => {
  const { url } = await startRotating();
  const env = await signedIn(url, Date.now() + 3_600_000);
  const connection = await resolveConnection(createTestContext({ env }).context, {});
  expect(await currentCredential(connection)).toBe('access-1');
  const source = profileTokens(env, 'one');
  expect(await source.token([])).toBe('access-1');
  source.reject('access-1');
  expect(await source.token([])).toBe('access-2');
  expect(await currentCredential(connection)).toBe('access-2');
});

test('the end of the sign-in says how to sign in again', async () => {
  const { url, end } = await startRotating();
  const env = await signedIn(url);
  end();
  const error = await profileTokens(env, 'one')
    .token([])
    .catch((thrown: unknown) => thrown);
  expect(await describeFailure(error)).toMatchObject({
    message: expect.stringContaining('tps login'),
    code: 'invalid_grant',
    exitCode: 4,
  });
  await updateProfiles(env, () => ({ profiles: {} }));
  await expect(profileTokens(env, 'one').token([])).rejects.toThrow('tps login');
});

test('a sign-in without its parts makes the file damaged', async () => {
  const env = await signedIn('http://127.0.0.1:9');
  const broken = { url: 'http://127.0.0.1:9', credential: 'c', oauth: { auth_url: 'x' } };
  await writeProfiles(env, { profiles: { broken: broken as never } });
  await expect(readProfiles(env)).rejects.toThrow('damaged');
});
