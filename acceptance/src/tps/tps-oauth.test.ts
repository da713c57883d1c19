import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreatedOAuthClient, OAuthClient } from '@tps/client';
import { useTestService } from '@tps/testing/service';
import { createTpsUser } from '@tps/testing/tps';
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
