import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** What a person has allowed a client to do in a tenant. */
export interface Consent {
  readonly tenantId: TenantId;
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly grantedAtMs: number;
  /** What the person has allowed the client as it was then. Null if an older version of the service stored the consent. */
  readonly latest: { readonly clientVersion: number; readonly scopes: readonly string[] } | null;
}

export type ConsentKey = Pick<Consent, 'tenantId' | 'accountId' | 'clientId'>;

export async function find(queries: ReadQueries, key: ConsentKey): Promise<Consent | undefined> {
  const row = await queries.db
    .selectFrom('oauth_consents')
    .selectAll()
    .where('tenant_id', '=', key.tenantId)
    .where('account_id', '=', key.accountId)
    .where('client_id', '=', key.clientId)
    .executeTakeFirst();
  return row && toConsent(row);
}

/** Stores a consent in place of an earlier one of the same person, client and tenant. */
export async function save(tx: Queries, consent: Consent): Promise<void> {
  const content = {
    scopes: JSON.stringify(consent.scopes),
    granted_at: consent.grantedAtMs,
    client_version: consent.latest?.clientVersion ?? null,
    version_scopes: consent.latest && JSON.stringify(consent.latest.scopes),
  };
  await tx.db
    .insertInto('oauth_consents')
    .values({
      tenant_id: consent.tenantId,
      account_id: consent.accountId,
      client_id: consent.clientId,
      ...content,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'account_id', 'client_id']).doUpdateSet(content))
    .execute();
}

/** Removes a consent. Returns whether it existed. */
export async function remove(tx: Queries, key: ConsentKey): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('oauth_consents')
    .where('tenant_id', '=', key.tenantId)
    .where('account_id', '=', key.accountId)
    .where('client_id', '=', key.clientId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes all consents of a person in a tenant. */
export async function removeOfMember(tx: Queries, tenantId: TenantId, accountId: string): Promise<void> {
  await tx.db
    .deleteFrom('oauth_consents')
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Removes what people have allowed a client. */
export async function removeOfClient(tx: Queries, tenantId: TenantId, clientId: string): Promise<void> {
  await tx.db
    .deleteFrom('oauth_consents')
    .where('tenant_id', '=', tenantId)
    .where('client_id', '=', clientId)
    .execute();
}

/** Lists what a person has allowed, the latest first. */
export async function listOf({ db }: ReadQueries, accountId: string): Promise<Consent[]> {
  const rows = await db
    .selectFrom('oauth_consents')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('granted_at', 'desc')
    .orderBy('client_id')
    .orderBy('tenant_id')
    .execute();
  return rows.map(toConsent);
}

function toConsent(row: Row<'oauth_consents'>): Consent {
  const { client_version: clientVersion, version_scopes: scopes } = row;
  return {
    tenantId: row.tenant_id as TenantId,
    accountId: row.account_id,
    clientId: row.client_id,
    scopes: JSON.parse(row.scopes) as string[],
    grantedAtMs: row.granted_at,
    latest: clientVersion === null ? null : { clientVersion, scopes: JSON.parse(scopes ?? '[]') as string[] },
  };
}
