import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreatedOAuthClient, OAuthClient } from '@tps/client';
import { approveDevice, FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { createTpsUser, type TpsUser } from '@tps/testing/tps';
import { expect, test } from 'vitest';

const service = useTestService();

test('oauth-clients creates, lists, changes, rotates and deletes a client', async () => {
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
  await user.runWell('oauth-clients', 'delete', id);
  expect(await user.run(['oauth-clients', 'get', id])).toMatchObject({ code: 3 });

  await writeFile(join(user.directory, 'keys.json'), '{"keys":');
  const broken = [...create, '--grants', 'client_credentials', '--jwks-file', 'keys.json'];
  expect(await user.run(broken)).toMatchObject({ code: 2, stderr: expect.stringContaining('not JSON') });
  expect(await user.run([...create, '--grants', 'password'])).toMatchObject({ code: 2 });
});

/** Signs in with `tps login`, confirmed in a browser by a new member of the tenant. */
async function logInAs(user: TpsUser, role: 'viewer' | 'admin', ...args: string[]): Promise<FormBrowser> {
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, await createPerson(service, { role }));
  await confirmLogin(user, browser, ...args);
  return browser;
}

async function confirmLogin(user: TpsUser, browser: FormBrowser, ...args: string[]): Promise<void> {
  const login = user.begin(['login', ...args], { isInteractive: true });
  await waitUntil(() => login.stderr().includes('confirm the code'), 20_000);
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

test('login signs in with a browser, several processes renew the access, and logout ends it', async () => {
  const user = createTpsUser();
  await logInAs(user, 'viewer', service.baseUrl);
  const { tenant_id: tenantId } = await user.json<{ tenant_id: string }>('status');
  expect(tenantId).toBe(service.tenant.tenantId);
  const first = await editProfile(user, (profile) => {
    profile.oauth.expires_at_ms = 0;
  });
  await Promise.all(Array.from({ length: 4 }, () => user.json('status')));
  const renewed = await editProfile(user);
  expect(renewed.credential).not.toBe(first.credential);
  expect(renewed.oauth.refresh_token).not.toBe(first.oauth.refresh_token);
  const refused = await user.run(['tokens', 'list']);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('insufficient_scope') });

  await user.runWell('logout');
  expect(await user.run(['status'])).toMatchObject({ code: 2 });
  for (const credential of [first.credential, renewed.credential]) {
    const { status } = await service.client.send('GET', '/status', { credential });
    expect(status).toBe(401);
  }
});
