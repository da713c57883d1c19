import type { Database, ReadQueries } from '../../database/index.ts';
import type { AccountTies } from '../../features/accounts/index.ts';
import { awaitEndOfTokens } from '../../features/authority/index.ts';
import {
  type EndAccessOfMember,
  leaveTenants,
  lockForDeparture,
  tenantsOf,
} from '../../features/members/index.ts';
import { consentStore, endAccessOfMember } from '../../features/oauth/index.ts';
import { signOnIdentityStore } from '../../features/sign-on/index.ts';
import { revokeCreatedBy } from '../../features/tokens/index.ts';
import { savedViewStore } from '../../features/views/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { toTimestamp } from '../../platform/time.ts';

/** Ends what applications may do in the name of a member, and the tokens that the member has created. */
export function createEndAccessOfMember({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): EndAccessOfMember {
  return async (tx, tenantId, accountId) => {
    const member = { accountId, nowMs: clock.now() };
    const issuedIds = await endAccessOfMember(tx, tenantId, member);
    let tokenIds = [...issuedIds, ...(await revokeCreatedBy(tx, tenantId, member))];
    return async () => {
      // A transaction that still relied on one of them may have created another one meanwhile.
      while (tokenIds.length > 0) {
        await awaitEndOfTokens(database, { tenantId, tokenIds });
        tokenIds = await database.transaction((after) => revokeCreatedBy(after, tenantId, member));
      }
    };
  };
}

/** Connects the accounts of people with the features that keep something about them. */
export function createAccountTies(parts: { clock: Clock; endAccess: EndAccessOfMember }): AccountTies {
  const { clock, endAccess } = parts;
  return {
    listTenants: tenantsOf,
    lockTenants: lockForDeparture,
    async end(tx, accountId) {
      await signOnIdentityStore.removeOfAccount(tx, accountId);
      return leaveTenants(tx, accountId, { endAccess, nowMs: clock.now() });
    },
    async export(queries, accountId) {
      const consents = await consentStore.listOf(queries, accountId);
      const identities = await signOnIdentityStore.listOf(queries, accountId);
      const views = await listViewsOf(queries, accountId);
      return {
        applications: consents.map(({ tenantId, clientId, scopes, grantedAtMs }) => ({
          tenant_id: tenantId,
          client_id: clientId,
          scopes,
          granted_at: toTimestamp(grantedAtMs),
        })),
        sign_on_identities: identities.map(({ tenantId, issuer, subject }) => ({
          tenant_id: tenantId,
          issuer,
          subject,
        })),
        saved_views: views,
      };
    },
  };
}

async function listViewsOf(queries: ReadQueries, accountId: string): Promise<unknown[]> {
  const views: unknown[] = [];
  for (const { tenantId } of await tenantsOf(queries, accountId)) {
    for (const view of await savedViewStore.listOf(queries, tenantId, { type: 'account', id: accountId })) {
      const { name, page, query, isShared } = view;
      views.push({ tenant_id: tenantId, name, page, query, shared: isShared });
    }
  }
  return views;
}
