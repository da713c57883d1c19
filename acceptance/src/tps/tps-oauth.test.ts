import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreatedOAuthClient, OAuthClient } from '@tps/client';
import { approveDevice, FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { createTpsUser, type TpsUser } from '@tps/testing/tps';
import { expect, test } from 'vitest';

const service = useTestService();

test('oauth-clients creates, lists, changes, rotates and removes a client', async () => {
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: service.tenant.credential });
  const create = ['oauth-clients', 'create', '--name', 'Portal', '--scopes', 'status:read,events:read'];
  const grants = ['--grants', 'authorization_code,refresh_token,device'];
  const uris = ['--redirect-uri', 'https://a.example/cb?x=1,2', '--redirect-uri', 'http://127.0.0.1/cb'];
  const made = await user.json<CreatedOAuthClient>(...create, ...grants, ...uris, '--refresh-grace', '10');
  expect(made).toMatchObject({
    name: 'Portal',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    redirect_uris: ['https://a.example/cb?x=1,2', 'http://127.0.0.1/cb'],
    refresh_grace_s: 10,
    client_secret: expect.stringMatching(/^svc_cs_/),
  });
  const { client_id: id } = made;
  expect(await user.json<OAuthClient[]>('oauth-clients', 'list')).toMatchObject([{ client_id: id }]);
  const changed = await user.json('oauth-clients', 'update', id, '--scopes', 'status:read', '--name', 'P2');
  expect(changed).toMatchObject({ name: 'P2', scopes: ['status:read'] });
  expect(await user.json('oauth-clients', 'get', id)).toEqual(changed);
  const rotated = await user.runWell('oauth-clients', 'rotate-secret', id, '--overlap', '0');
  expect(rotated).toMatch(/secret +svc_cs_\w{39}\n/);
  expect(rotated).not.toContain(made.client_secret);
  await user.runWell('oauth-clients', 'remove', id);
  expect(await user.run(['oauth-clients', 'get', id])).toMatchObject({ code: 3 });

  await writeFile(join(user.directory, 'keys.json'), '{"keys":');
  const broken = [...create, '--grants', 'client_credentials', '--jwks-file', 'keys.json'];
  expect(await user.run(broken)).toMatchObject({ code: 2, stderr: expect.stringContaining('not JSON') });
  expect(await user.run([...create, '--grants', 'password'])).toMatchObject({ code: 2 });
});

/** Signs in with `tps login`, confirmed in the browser. */
async function confirmLogin(user: TpsUser, browser: FormBrowser, ...args: string[]): Promise<void> {
  const login = user.begin(['login', ...args], { isInteractive: true });
  await waitUntil(() => login.stderr().includes('confirm the code'));
  const code = /confirm the code ([A-Z0-9-]+):/.exec(login.stderr())?.[1] ?? '';
  expect(login.stderr()).toContain(`${service.baseUrl}/auth/device`);
  await approveDevice(browser, code);
  const { code: exitCode, stderr } = await login.ended;
  expect(exitCode, stderr).toBe(0);
}

interface ProfilesFile {
  profiles: Record<string, { credential: string; oauth: { refresh_token: string; expires_at_ms: number } }>;
}

async function editProfile(
  user: TpsUser,
  edit: (profile: ProfilesFile['profiles'][string]) => void = () => undefined,
) {
  const file = join(user.directory, '.config/tps/config.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const all = JSON.parse(await readFile(file, 'utf8')) as ProfilesFile;
  const profile = all.profiles.default;
  if (!profile) throw new Error('no profile');
  edit(profile);
  await writeFile(file, JSON.stringify(all));
  return profile;
}

const statusWith = async (credential: string) =>
  (await service.client.send('GET', '/status', { credential })).status;

test('login signs in with a browser, several processes renew the access, and logout ends it', async () => {
  const user = createTpsUser();
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, await createPerson(service, { role: 'admin' }));
  await confirmLogin(user, browser, service.baseUrl);
  expect(await user.json('status')).toMatchObject({ tenant_id: service.tenant.tenantId });
  const first = await editProfile(user, (profile) => {
    profile.oauth.expires_at_ms = 0;
  });
  await Promise.all(Array.from({ length: 4 }, () => user.json('status')));
  const renewed = await editProfile(user);
  expect(renewed.credential).not.toBe(first.credential);
  expect(renewed.oauth.refresh_token).not.toBe(first.oauth.refresh_token);

  const create = ['tokens', 'create', '--name', 't', '--scopes', 'status:read'];
  await user.runWell(...create);
  await service.service.database.transaction(async (tx) => {
    const tokens = tx.db.updateTable('tokens').set({ authenticated_at: Date.now() - 601_000 });
    await tokens.where('authenticated_at', 'is not', null).execute();
  });
  // Long after the sign-in, a change of tokens says how to sign in again, which helps.
  expect(await user.run(create)).toMatchObject({ code: 4, stderr: expect.stringContaining('tps login') });
  expect(await statusWith(renewed.credential)).toBe(200);
  await confirmLogin(user, browser);
  await user.runWell(...create);
  for (const { credential } of [first, renewed]) expect(await statusWith(credential)).toBe(401);

  const last = await editProfile(user);
  await user.runWell('logout');
  expect(await user.run(['status'])).toMatchObject({ code: 2 });
  expect(await statusWith(last.credential)).toBe(401);
});
