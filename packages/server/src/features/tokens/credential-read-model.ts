import type { ReadQueries } from '../../database/index.ts';
import { NO_TENANT } from '../../platform/tenant-id.ts';
import type { TokenRecord } from './token.ts';
import { toRecord } from './token-store.ts';

/**
 * Finds the tokens of these credentials, with the rate limit of each token's tenant. The only read without a
 * tenant, because the credential determines the tenant. Tokens of a tenant that is being deleted are not found, nor
 * tokens that a running request created after the deletion.
 */
export async function findByHashes(
  queries: ReadQueries,
  hashes: readonly string[],
): Promise<Map<string, { token: TokenRecord; limit: number | null }>> {
  const rows = await queries.db
    .selectFrom('tokens')
    .leftJoin('tenants', 'tenants.tenant_id', 'tokens.tenant_id')
    .selectAll('tokens')
    .select('tenants.rate_limit_per_minute')
    .where(queries.anyOf('tokens.token_hash', hashes))
    .where((row) =>
      row.or([
        row('tokens.tenant_id', '=', NO_TENANT),
        row.and([row('tenants.tenant_id', 'is not', null), row('tenants.delete_after', 'is', null)]),
      ]),
    )
    .execute();
  return new Map(
    rows.map((row) => [row.token_hash, { token: toRecord(row), limit: row.rate_limit_per_minute }]),
  );
}
