import type { SignOn } from '@tps/client';
import { startDiscoveryStandIn } from '@tps/testing/network';
import { startTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { createTpsUser } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';

test('an administrator sets up, shows and ends single sign-on on the command line', async () => {
  const service = await startTestService({ env: WEBHOOK_ENV });
  onTestFinished(() => service.stop());
  const provider = await startDiscoveryStandIn();
  onTestFinished(provider.close);
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: service.tenant.credential });
  const set = ['sign-on', 'set', '--issuer', provider.issuer, '--client-id', 'tps', '--domains'];
  const options = ['--trust-email', '--extra-scopes', 'groups,roles', '--create-members'];
  const roles = ['--role-claim', 'groups', '--map', 'a=b=admin', '--map', 'soc=analyst'];
  const secret = ['--client-secret-file', '-', '--json'];
  const made = await user.run([...set, 'example.com,example.org', ...options, ...roles, ...secret], {
    input: 'secret-of-the-provider',
  });
  expect(JSON.parse(made.stdout)).toMatchObject({
    allowed_domains: ['example.com', 'example.org'],
    trust_email: true,
    extra_scopes: ['groups', 'roles'],
    role_map: [
      { value: 'a=b', role: 'admin' },
      { value: 'soc', role: 'analyst' },
    ],
    create_members: true,
    has_secret: true,
  } satisfies Partial<SignOn>);
  const shown = await user.runWell('sign-on', 'show');
  expect(shown).toContain(`${service.baseUrl}/auth/sign-on/callback`);
  expect(shown).toContain('count as verified');
  expect((await user.run([...set, 'example.com', '--map', 'soc=boss'])).stderr).toContain('<value>=<role>');
  await user.runWell('sign-on', 'remove');
  expect((await user.run(['sign-on', 'show'])).stderr).toContain('No such sign-on provider');
});
