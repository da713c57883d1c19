import type { Database } from '../../database/index.ts';
import type { AccountTies } from '../../features/accounts/index.ts';
import { awaitEndOfTokens } from '../../features/authority/index.ts';
import {
  type EndAccessOfMember,
  leaveTenants,
  lockForDeparture,
  tenantsOf,
} from '../../features/members/index.ts';
import { endAccessOfMember } from '../../features/oauth/index.ts';
import type { Clock } from '../../platform/clock.ts';

/** Ends what applications may do in the name of a member. */
export function createEndAccessOfMember({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): EndAccessOfMember {
  return async (tx, tenantId, accountId) => {
    const tokenIds = await endAccessOfMember(tx, tenantId, { accountId, nowMs: clock.now() });
    return () => awaitEndOfTokens(database, { tenantId, tokenIds });
  };
}

/** Connects the accounts of people with the features that keep something about them. */
export function createAccountTies(parts: { clock: Clock; endAccess: EndAccessOfMember }): AccountTies {
  const { clock, endAccess } = parts;
  return {
    listTenants: tenantsOf,
    lockTenants: lockForDeparture,
    end: (tx, accountId) => leaveTenants(tx, accountId, { endAccess, nowMs: clock.now() }),
    export: async () => ({}),
  };
}
