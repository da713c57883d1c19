import type { Database, Queries } from '../../../database/index.ts';
import { type Clock, MAX_CLOCK_DIFFERENCE_MS } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore } from '../../audit/index.ts';
import { awaitEndOfTokens } from '../../authority/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { holdingStore } from '../../holdings/index.ts';
import { upsertMonitoringIncident } from '../../incidents/index.ts';
import { issuedTokenStore } from '../../tokens/index.ts';
import * as clientStore from '../clients/client-store.ts';
import { endAccessOfGrant } from '../end-access.ts';
import { tenantOfGrant } from '../grant-id.ts';
import * as recordStore from './record-store.ts';

export interface Redemption {
  readonly database: Database;
  readonly clock: Clock;
  readonly invalidGrant: (reason: string) => Error;
  readonly requestId: string | null;
}

/** Whether a code or refresh token was redeemed, and which access tokens ended because it was presented. */
interface Outcome {
  readonly isRedeemed: boolean;
  readonly ended?: { readonly tenantId: TenantId; readonly tokenIds: readonly string[] };
}

const REDEEMED: Outcome = { isRedeemed: true };
const GONE: Outcome = { isRedeemed: false };

/**
 * Consumes a code or refresh token: of any number of simultaneous requests, one succeeds. A second use means that two parties
 * have it, so it ends the whole grant (RFC 6749, section 10.5; RFC 9700, section 4.14.2).
 * @throws the error for `invalid_grant`
 */
export async function consumeRecord(
  parts: Redemption,
  { model, id }: { model: string; id: string },
): Promise<void> {
  const { database, clock, invalidGrant } = parts;
  const hash = recordStore.recordHashOf(model, id);
  const { isRedeemed, ended } = await database.transaction(
    async (tx): Promise<Outcome> => {
      const nowMs = clock.now();
      const seen = await recordStore.find(tx, hash, nowMs);
      const consume = async () => ((await recordStore.consume(tx, hash, nowMs)) ? REDEEMED : GONE);
      // A request that a client has pushed, or a device code that a person has denied.
      if (!seen || seen.grant_id === null) return consume();
      const { grant_id: grantId } = seen;
      // Before the record: what ends the grant locks both in this order.
      const grant = await recordStore.findForUpdate(tx, recordStore.recordHashOf('Grant', grantId), nowMs);
      if (!grant) return GONE;
      const used = await recordStore.find(tx, hash, nowMs);
      if (!used) return GONE;
      if (used.consumed_at === null) return consume();
      const tenantId = tenantOfGrant(grantId);
      const replaced = model === 'RefreshToken' ? await replaceLost(tx, used, nowMs) : undefined;
      if (replaced) return { isRedeemed: true, ended: { tenantId, tokenIds: replaced } };
      const tokenIds = await endAccessOfGrant(tx, { tenantId, grantId, nowMs });
      await recordEnd(tx, seen, { action: 'oauth.reuse_detected', requestId: parts.requestId, nowMs });
      await reportPlanted(tx, seen, nowMs);
      return { isRedeemed: false, ended: { tenantId, tokenIds } };
    },
    { repeatable: true },
  );
  if (ended) await awaitEndOfTokens(database, ended);
  if (!isRedeemed) throw invalidGrant('the grant has been used already');
}

/** Ends a grant because its client no longer wants it. Has no effect if it has ended. */
export async function endGrant(parts: Redemption, grantId: string): Promise<void> {
  const { database, clock, requestId } = parts;
  const tenantId = tenantOfGrant(grantId);
  const tokenIds = await database.transaction(async (tx) => {
    const nowMs = clock.now();
    const grant = await recordStore.findForUpdate(tx, recordStore.recordHashOf('Grant', grantId), nowMs);
    const tokens = await endAccessOfGrant(tx, { tenantId, grantId, nowMs });
    if (grant) await recordEnd(tx, grant, { action: 'oauth.revoke', requestId, nowMs });
    return tokens;
  });
  await awaitEndOfTokens(database, { tenantId, tokenIds });
}

/**
 * Lets a refresh token be used again, shortly after its use, if its client has a grace period and may have lost the
 * answer. What that answer contained ends here: the grant never has two live refresh tokens. If its refresh token has been
 * used, it was not lost. Returns the ids of the access tokens that end; undefined if the token may not be used again.
 */
async function replaceLost(
  tx: Queries,
  used: recordStore.OauthRecord,
  nowMs: number,
): Promise<string[] | undefined> {
  const { grant_id: grantId, client_id: clientId, tenant_id, consumed_at: consumedAtMs } = used;
  if (grantId === null || clientId === null || consumedAtMs === null) return undefined;
  const client = await clientStore.find(tx, tenant_id as TenantId, clientId);
  if (!client || nowMs - consumedAtMs > client.refreshGraceS * 1000 || client.refreshGraceS === 0)
    return undefined;
  const content = JSON.parse(used.payload) as { rotations?: number; repeated?: boolean };
  if (content.repeated === true) return undefined;
  // Another node, whose clock may be behind, may have used the token of the lost response.
  const usedSince = await recordStore.listUsedSince(tx, grantId, consumedAtMs - MAX_CLOCK_DIFFERENCE_MS);
  const isLater = (one: recordStore.OauthRecord) => rotationsOf(one) > (content.rotations ?? 0);
  if (usedSince.some(isLater)) return undefined;
  const lost = (await recordStore.listUnused(tx, grantId, nowMs)).filter(isLater);
  await recordStore.setPayload(tx, used.record_hash, JSON.stringify({ ...content, repeated: true }));
  for (const one of lost) await recordStore.remove(tx, one.record_hash);
  return issuedTokenStore.revoke(
    tx,
    { tenantId: tenantOfGrant(grantId), grantId, sinceMs: consumedAtMs },
    nowMs,
  );
}

function rotationsOf({ payload }: recordStore.OauthRecord): number {
  return (JSON.parse(payload) as { rotations?: number }).rotations ?? 0;
}

/**
 * Opens an incident if something was set up with the access that ended because two parties had it. It stays: a second use can
 * also be a fault of the application.
 */
async function reportPlanted(
  tx: Queries,
  { client_id: clientId, account_id: ownerId, grant_id: grantId }: recordStore.OauthRecord,
  nowMs: number,
): Promise<void> {
  if (clientId === null || ownerId === null || grantId === null) return;
  const tenantId = tenantOfGrant(grantId);
  const planted = await holdingStore.listOfRoot(tx, tenantId, { ownerId, clientId });
  if (planted.length === 0) return;
  await feedHeadStore.lock(tx, tenantId);
  const message = `Someone may have a copy of a token of the application ${clientId}: it was used twice. The access has ended, but not what was set up with it for ${ownerId}. Check what is left of it (tps holdings list --client-id ${clientId}) and what was done (tps audit list --actor-id ${ownerId}).`;
  await upsertMonitoringIncident(tx, tenantId, { correlationKey: clientId, message, nowMs });
}

async function recordEnd(
  tx: Queries,
  { client_id, account_id, grant_id }: recordStore.OauthRecord,
  act: { action: 'oauth.revoke' | 'oauth.reuse_detected'; requestId: string | null; nowMs: number },
): Promise<void> {
  const { action, requestId, nowMs } = act;
  const isReuse = action === 'oauth.reuse_detected';
  await auditStore.append(
    tx,
    {
      // A device code belongs to no tenant; its grant does.
      tenantId: tenantOfGrant(grant_id ?? ''),
      actor: { type: 'oauth_client', id: client_id ?? '' },
      action,
      resource: { type: 'oauth_client', id: client_id ?? '' },
      outcome: isReuse ? 'denied' : 'success',
      requestId,
      detail: isReuse
        ? 'A code or refresh token was used a second time; its grant and all tokens of the grant were ended'
        : 'The client has ended its grant',
      fields: { grant_id, account_id },
    },
    nowMs,
  );
}
