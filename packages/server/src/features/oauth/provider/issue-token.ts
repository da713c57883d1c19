import { ROLE_SCOPES, type Scope } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../../database/index.ts';
import { credentialHint, hashCredential } from '../../../platform/crypto/credentials.ts';
import { createId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore } from '../../audit/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import { issuedTokenStore, type TokenRecord, tokenStore } from '../../tokens/index.ts';
import * as clientStore from '../clients/client-store.ts';
import { COMMAND_LINE_CLIENT } from '../command-line-client.ts';
import { type ClientProof, isStillAccepted } from './client-proof.ts';
import * as memberReadModel from './member-read-model.ts';
import * as recordStore from './record-store.ts';

/** An access token as the authorization server makes it. */
export interface TokenToIssue {
  readonly credential: string;
  readonly tenantId: TenantId;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number;
  /** Null for the client credentials grant, like the account. */
  readonly grantId: string | null;
  readonly accountId: string | null;
  readonly keyThumbprint: string | null;
  /** When the person proved who they are, if known. */
  readonly authenticatedAtMs: number | null;
  /** What the client has shown in this request. */
  readonly proof: ClientProof;
  readonly requestId: string | null;
}

/**
 * Locks a grant until the transaction ends: a transaction that ends the grant waits, and then ends what is added to it now. Returns
 * the grant; undefined if it has ended.
 */
export async function relyOnGrant(
  tx: Queries,
  { grantId, clientId, accountId }: { grantId: string; clientId: string; accountId: string },
  nowMs: number,
): Promise<recordStore.OauthRecord | undefined> {
  const grant = await recordStore.findForUpdate(tx, recordStore.recordHashOf('Grant', grantId), nowMs);
  return grant?.client_id === clientId && grant.account_id === accountId ? grant : undefined;
}

/**
 * Stores an access token, unless what it rests on has ended. The caller has locked its grant with `relyOnGrant`; without a
 * grant, this locks the client. Returns false if the token may not be issued.
 */
export async function issueToken(tx: Queries, token: TokenToIssue, nowMs: number): Promise<boolean> {
  const { tenantId, clientId, accountId, grantId, scopes } = token;
  const tenant = await tenantStore.find(tx, tenantId);
  const isOwnClient = clientId === COMMAND_LINE_CLIENT;
  // Only without a grant: a transaction that ends a client locks the client first and its grants then.
  const findClient = grantId === null ? clientStore.findForUpdate : clientStore.find;
  const client = isOwnClient ? undefined : await findClient(tx, tenantId, clientId);
  if (!tenant || !(client || isOwnClient)) return false;
  if (client && !scopes.every((scope) => client.scopes.includes(scope))) return false;
  // The secret, the keys or the grant types may have been replaced since the request was authenticated.
  if (client && !isStillAccepted(client, token.proof, nowMs)) return false;
  if (accountId !== null) {
    const role = await memberReadModel.findRole(tx, tenantId, accountId);
    if (!role || !scopes.every((scope) => ROLE_SCOPES[role].includes(scope))) return false;
  }
  await issuedTokenStore.makeRoom(tx, token, nowMs);
  const record = toRecord(token, { name: client?.name ?? clientId, environment: tenant.environment, nowMs });
  const digest = await tokenStore.create(tx, record, hashCredential(token.credential));
  // The token of a grant needs no entry: the grant has one.
  if (grantId === null) await recordIssue(tx, record, { digest, requestId: token.requestId, nowMs });
  return true;
}

function toRecord(
  token: TokenToIssue,
  { name, environment, nowMs }: { name: string; environment: TokenRecord['environment']; nowMs: number },
): TokenRecord {
  const { tenantId, clientId, accountId, grantId, scopes, expiresAtMs, keyThumbprint } = token;
  // Unknown counts as long ago.
  const authenticatedAtMs = clientId === COMMAND_LINE_CLIENT ? (token.authenticatedAtMs ?? 0) : null;
  return {
    ...{ tenantId, name, scopes, environment, expiresAtMs },
    tokenId: createId(ID_PREFIXES.token, nowMs),
    hint: credentialHint(token.credential),
    createdAtMs: nowMs,
    createdBy: accountId ?? clientId,
    lastUsedAtMs: null,
    revokedAtMs: null,
    deviceId: null,
    maxUses: null,
    uses: null,
    issued: { clientId, grantId, accountId, keyThumbprint, authenticatedAtMs },
  };
}

async function recordIssue(
  tx: Queries,
  { tenantId, tokenId, scopes, createdBy }: TokenRecord,
  { digest, requestId, nowMs }: { digest: string; requestId: string | null; nowMs: number },
): Promise<void> {
  await auditStore.append(
    tx,
    {
      tenantId,
      actor: { type: 'oauth_client', id: createdBy },
      action: 'oauth.issue',
      resource: { type: 'token', id: tokenId },
      outcome: 'success',
      requestId,
      detail: `Access token issued with the scopes ${scopes.join(' ')}`,
      fields: { scopes, digest },
    },
    nowMs,
  );
}
