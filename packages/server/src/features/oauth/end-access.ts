import { ACCESS_LIMITS } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import { issuedTokenStore } from '../tokens/index.ts';
import type { ConsentKey } from './consent/consent-store.ts';
import * as consentStore from './consent/consent-store.ts';
import * as recordStore from './provider/record-store.ts';

/**
 * Ends what applications may do in the name of a member of a tenant: consents, grants, codes, refresh tokens, and access
 * tokens, in the transaction of the caller, which has locked the tenant and the membership. Call `awaitEndOfTokens` with the returned ids
 * after the commit.
 */
export async function endAccessOfMember(
  tx: Queries,
  tenantId: TenantId,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<string[]> {
  await consentStore.removeOfMember(tx, tenantId, accountId);
  await recordStore.endGrants(tx, { tenantId, accountId });
  return issuedTokenStore.revoke(tx, { tenantId, accountId }, nowMs);
}

/** Does the same for everything that a client holds. The caller has locked the tenant and the client. */
export async function endAccessOfClient(
  tx: Queries,
  tenantId: TenantId,
  { clientId, nowMs }: { clientId: string; nowMs: number },
): Promise<string[]> {
  await recordStore.endGrants(tx, { tenantId, clientId });
  await recordStore.removeOfClient(tx, clientId);
  return issuedTokenStore.revoke(tx, { tenantId, clientId }, nowMs);
}

/** Does the same for what a person has allowed one client in a tenant. The caller has removed the consent. */
export async function endAccessOfConsent(
  tx: Queries,
  { tenantId, accountId, clientId }: ConsentKey,
  nowMs: number,
): Promise<string[]> {
  await recordStore.endGrants(tx, { tenantId, accountId, clientId });
  return issuedTokenStore.revoke(tx, { tenantId, accountId, clientId }, nowMs);
}

/** Does the same for one grant. */
export async function endAccessOfGrant(
  tx: Queries,
  { tenantId, grantId, nowMs }: { tenantId: TenantId; grantId: string; nowMs: number },
): Promise<string[]> {
  await recordStore.endGrants(tx, { tenantId, grantId });
  return issuedTokenStore.revoke(tx, { tenantId, grantId }, nowMs);
}

/**
 * Ends the access tokens of a client, but not its grants: they need its new secret. The caller has locked the tenant and the
 * client, and replaced the secret.
 */
export async function endTokensOfClient(
  tx: Queries,
  tenantId: TenantId,
  { clientId, nowMs }: { clientId: string; nowMs: number },
): Promise<string[]> {
  await recordStore.lockGrants(tx, { tenantId, clientId });
  return issuedTokenStore.revoke(tx, { tenantId, clientId }, nowMs);
}

/** An older version had no limit: so many end at a time. */
const MAX_EXCESS = 100;

/**
 * Ends the grants of a person to a client that expire first, if there are as many as can be: one more is about to begin. The caller
 * has locked the membership and the client.
 */
export async function makeRoomForGrant(
  tx: Queries,
  key: ConsentKey,
  { requestId, nowMs }: { requestId: string | null; nowMs: number },
): Promise<void> {
  const { tenantId, accountId, clientId } = key;
  const beyond = { most: ACCESS_LIMITS.grants - 1, limit: MAX_EXCESS, nowMs };
  const excess = await recordStore.listExcessGrants(tx, key, beyond);
  for (const grantId of excess) await endAccessOfGrant(tx, { tenantId, grantId, nowMs });
  if (excess.length === 0) return;
  await auditStore.append(
    tx,
    {
      tenantId,
      actor: SERVICE,
      action: 'oauth.revoke',
      resource: { type: 'oauth_client', id: clientId },
      outcome: 'success',
      requestId,
      detail: `Grants ended that would have expired first: a person has at most ${ACCESS_LIMITS.grants} for one client`,
      fields: { account_id: accountId, grants_ended: excess.length },
    },
    nowMs,
  );
}
