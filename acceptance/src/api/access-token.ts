import type { CreatedOAuthClient, Scope } from '@tps/contract';
import type { TestService } from '@tps/testing/service';
import { testFetch } from '@tps/testing/service';

/** Creates an OAuth client that acts for itself. Returns what gets it tokens with some of its scopes. */
export async function createMachineClient(
  service: TestService,
  { credential, scopes }: { credential: string; scopes: readonly Scope[] },
): Promise<(wanted?: readonly Scope[]) => Promise<string>> {
  const body = { name: 'machine', grant_types: ['client_credentials'], scopes };
  const made = await service.client.send('POST', '/oauth-clients', { credential, body });
  const { client_id, client_secret = '' } = made.body as CreatedOAuthClient;
  return async (wanted = scopes) => {
    const form = { grant_type: 'client_credentials', client_id, client_secret, scope: wanted.join(' ') };
    const answer = await testFetch(`${service.baseUrl}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`no access token: ${answer.status}`);
    return token;
  };
}
