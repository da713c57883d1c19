import { describeHolding } from '@tps/contract/vocabulary';
import type { Database, ReadQueries } from '../../database/index.ts';
import type { AccountTies } from '../../features/accounts/index.ts';
import { awaitEndOfTokens } from '../../features/authority/index.ts';
import type { Holdings } from '../../features/holdings/index.ts';
import {
  type EndAccessOfMember,
  leaveTenants,
  lockForDeparture,
  membershipStore,
  revokeInvitationsOf,
  tenantsOf,
} from '../../features/members/index.ts';
import { consentStore, endAccessOfMember } from '../../features/oauth/index.ts';
import { signOnIdentityStore } from '../../features/sign-on/index.ts';
import { savedViewStore } from '../../features/views/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { toTimestamp } from '../../platform/time.ts';

/**
 * Ends what applications may do in the name of a member. If the member loses scopes, it also ends all that the member owns,
 * and the invitations by which the member could return.
 */
export function createEndAccessOfMember({
  database,
  holdings,
  clock,
}: {
  database: Database;
  holdings: Holdings;
  clock: Clock;
}): EndAccessOfMember {
  return async (tx, { tenantId, accountId }, ending) => {
    const tokenIds = await endAccessOfMember(tx, tenantId, { accountId, nowMs: clock.now() });
    if (!ending.isLoss) return () => awaitEndOfTokens(database, { tenantId, tokenIds });
    const why = 'the member on whose authority it acts has lost the role or the access';
    const invited = { why: 'the invited member has lost the role or the access', nowMs: clock.now() };
    await revokeInvitationsOf(tx, { tenantId, accountId }, invited);
    return holdings.end(tx, tenantId, { ownerId: accountId }, { signOn: ending.signOn, why, tokenIds });
  };
}

/** Connects the accounts of people with the features that keep something about them. */
export function createAccountTies(parts: {
  clock: Clock;
  holdings: Holdings;
  endAccess: EndAccessOfMember;
}): AccountTies {
  const { clock, holdings, endAccess } = parts;
  return {
    listTenants: tenantsOf,
    lockTenants: lockForDeparture,
    async endAccess(tx, accountId, why) {
      const applications = (await consentStore.listOf(tx, accountId)).length;
      await signOnIdentityStore.removeOfAccount(tx, accountId);
      const how = { signOn: 'release', why, kinds: ['invitation'] } as const;
      const ends: (() => Promise<void>)[] = [];
      for (const { tenantId } of await membershipStore.listOf(tx, accountId)) {
        const tokenIds = await endAccessOfMember(tx, tenantId, { accountId, nowMs: clock.now() });
        ends.push(await holdings.end(tx, tenantId, { ownerId: accountId }, { ...how, tokenIds }));
      }
      return {
        applications,
        awaitEnd: async () => {
          for (const awaitEnd of ends) await awaitEnd();
        },
      };
    },
    async end(tx, accountId) {
      await signOnIdentityStore.removeOfAccount(tx, accountId);
      return leaveTenants(tx, accountId, { endAccess, signOn: 'refuse' });
    },
    listEnding: async (queries, accountId) => {
      const ending = [];
      for (const { tenantId, tenantName } of await tenantsOf(queries, accountId)) {
        for (const holding of await holdings.list(tenantId, { ownerId: accountId })) {
          ending.push(`${describeHolding(holding)} in ${tenantName}`);
        }
      }
      return ending;
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
