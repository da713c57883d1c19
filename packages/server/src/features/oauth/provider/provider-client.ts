import { SCOPES } from '@tps/contract';
import type { AdapterPayload } from 'oidc-provider';
import { toClientMetadata } from '../clients/client-metadata.ts';
import { DEVICE_GRANT, hasSecret, type OAuthClientRecord } from '../clients/oauth-client.ts';
import { COMMAND_LINE_CLIENT } from '../command-line-client.ts';

/** What a client may ask for about the person, beside the scopes of the API. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

/**
 * The provider requires a secret of these clients. `compareClientSecret` is replaced and nothing else uses it: the
 * algorithms that would are switched off.
 */
const UNUSED_SECRET = 'only a hash is stored';

/** Returns a client as the provider reads it: one of a tenant, or the built-in client of the command line. */
export function toProviderClient(
  clientId: string,
  client: OAuthClientRecord | undefined,
): AdapterPayload | undefined {
  if (clientId === COMMAND_LINE_CLIENT) return COMMAND_LINE;
  if (!client) return undefined;
  const isForPeople = client.grantTypes.some((grant) => grant !== 'client_credentials');
  return {
    ...toClientMetadata(client),
    scope: [...client.scopes, ...(isForPeople ? OPENID_SCOPES : [])].join(' '),
    ...(hasSecret(client.authMethod) ? { client_secret: UNUSED_SECRET } : {}),
    ...(client.grantTypes.includes('authorization_code') ? {} : { redirect_uris: [], response_types: [] }),
  } as AdapterPayload;
}

const COMMAND_LINE: AdapterPayload = {
  client_id: COMMAND_LINE_CLIENT,
  client_name: 'tps',
  application_type: 'native',
  redirect_uris: [],
  response_types: [],
  grant_types: [DEVICE_GRANT, 'refresh_token'],
  token_endpoint_auth_method: 'none',
  scope: [...SCOPES, ...OPENID_SCOPES].join(' '),
};
