import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** A row with the id and the name of an actor. */
interface NamedActor {
  readonly id: string;
  readonly name: string;
}

/**
 * Reads the names of actors within a tenant: of its members, tokens and OAuth clients. An id that is not found, such as that of
 * a person who has left, has no name.
 */
export async function readActorNames(
  queries: ReadQueries,
  tenantId: TenantId,
  actorIds: Iterable<string>,
): Promise<Map<string, string>> {
  const ids = [...new Set(actorIds)];
  const reads = [
    { prefix: ID_PREFIXES.account, read: readMembers },
    { prefix: ID_PREFIXES.token, read: readTokens },
    { prefix: ID_PREFIXES.oauth_client, read: readClients },
  ];
  const names = new Map<string, string>();
  for (const { prefix, read } of reads) {
    const ofKind = ids.filter((id) => id.startsWith(`${prefix}_`));
    if (ofKind.length === 0) continue;
    for (const { id, name } of await read(queries, tenantId, ofKind)) names.set(id, name);
  }
  return names;
}

function readMembers(
  queries: ReadQueries,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<NamedActor[]> {
  return queries.db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select(['accounts.account_id as id', 'accounts.name'])
    .where('memberships.tenant_id', '=', tenantId)
    .where(queries.anyOf('memberships.account_id', ids))
    .execute();
}

function readTokens(queries: ReadQueries, tenantId: TenantId, ids: readonly string[]): Promise<NamedActor[]> {
  return queries.db
    .selectFrom('tokens')
    .select(['token_id as id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('token_id', ids))
    .execute();
}

function readClients(
  queries: ReadQueries,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<NamedActor[]> {
  return queries.db
    .selectFrom('oauth_clients')
    .select(['client_id as id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('client_id', ids))
    .execute();
}
