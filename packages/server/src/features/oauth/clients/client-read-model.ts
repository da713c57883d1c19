import type { ReadQueries } from '../../../database/index.ts';
import { toRecord } from './client-store.ts';
import type { OAuthClientRecord } from './oauth-client.ts';

/**
 * Finds a client of any tenant, for the authorization server: a request there names no tenant, because the client
 * determines it. Clients of a tenant that is being deleted are not found.
 */
export async function findById(
  queries: ReadQueries,
  clientId: string,
): Promise<OAuthClientRecord | undefined> {
  const row = await queries.db
    .selectFrom('oauth_clients')
    .innerJoin('tenants', 'tenants.tenant_id', 'oauth_clients.tenant_id')
    .selectAll('oauth_clients')
    .where('oauth_clients.client_id', '=', clientId)
    .where('tenants.delete_after', 'is', null)
    .executeTakeFirst();
  return row && toRecord(row);
}
