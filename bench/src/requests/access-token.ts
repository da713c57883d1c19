import type { FleetTarget } from '../load/signed-fleet.ts';

/** Creates an OAuth client of the tenant and lets it get an access token for itself. */
export async function getAccessToken({
  baseUrl,
  credential,
}: Pick<FleetTarget, 'baseUrl' | 'credential'>): Promise<string> {
  const client = await post(`${baseUrl}/oauth-clients`, {
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', grant_types: ['client_credentials'], scopes: ['events:write'] }),
  });
  const token = await post(`${baseUrl}/auth/token`, {
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(client.client_id),
      client_secret: String(client.client_secret),
    }),
  });
  return String(token.access_token);
}

async function post(url: string, request: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, { ...request, method: 'POST' });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
