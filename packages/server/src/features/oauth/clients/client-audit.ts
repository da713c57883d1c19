import type { AuditRecord } from '../../audit/index.ts';
import type { OAuthClientRecord } from './oauth-client.ts';

type Entry = Pick<AuditRecord, 'tenantId' | 'action' | 'resource' | 'detail' | 'fields'>;

const DETAILS = {
  'oauth_client.create': 'created',
  'oauth_client.update': 'changed',
  'oauth_client.rotate_secret': 'got a new secret',
  'oauth_client.delete': 'deleted',
} as const;

/** Creates the audit entry of an action on a client, given in its new state. */
export function entryOf(client: OAuthClientRecord, action: keyof typeof DETAILS, more: object = {}): Entry {
  return {
    tenantId: client.tenantId,
    action,
    resource: { type: 'oauth_client', id: client.clientId },
    detail: `OAuth client "${client.name}" ${DETAILS[action]}`,
    fields: {
      name: client.name,
      scopes: client.scopes,
      grant_types: client.grantTypes,
      redirect_uris: client.redirectUris,
      token_endpoint_auth_method: client.authMethod,
      ...more,
    },
  };
}
