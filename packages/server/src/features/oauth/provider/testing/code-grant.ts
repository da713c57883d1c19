import { createHash, randomBytes } from 'node:crypto';
import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import type { TestPerson } from '@tps/testing/service';
import type { OauthTestClient } from './oauth-requests.ts';

export const REDIRECT_URI = 'https://app.example.com/callback';

/** Settings of a client that people allow to act for them. */
export const APP = {
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [REDIRECT_URI],
  scopes: ['status:read', 'events:read'],
};

/** Returns the address of an authorization request, and the verifier of its challenge. An empty member is left out. */
export function authorizationUrl(
  { baseUrl }: { readonly baseUrl: string },
  { clientId }: Pick<OauthTestClient, 'clientId'>,
  members: Readonly<Record<string, string>>,
): { address: URL; verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...members,
  };
  const address = new URL(`${baseUrl}/auth/authorize`);
  address.search = String(new URLSearchParams(Object.entries(all).filter(([, value]) => value !== '')));
  return { address, verifier };
}

/** Goes through an authorization request as a person. Returns the form that redeems the code. */
export async function grantCode(
  running: { readonly baseUrl: string },
  client: OauthTestClient,
  { person, scope }: { person: TestPerson; scope: string },
): Promise<Record<string, string>> {
  const { address, verifier } = authorizationUrl(running, client, { scope });
  const browser = new FormBrowser(running.baseUrl);
  await signIn(browser, person);
  const { searchParams } = await authorize(browser, address);
  const code = searchParams.get('code');
  if (code === null) throw new Error(`no code: ${searchParams}`);
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
}
