import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import { credentialHint, hashCredential, mintCredential } from '../../platform/crypto/credentials.ts';
import { createId } from '../../platform/identifiers.ts';
import type { MintedToken, TokenRecord } from './token.ts';
import * as tokenStore from './token-store.ts';

/** What is known of a credential before it is created. */
export type TokenToMint = Pick<
  TokenRecord,
  'tenantId' | 'name' | 'scopes' | 'environment' | 'createdBy' | 'expiresAtMs'
> &
  Partial<Pick<TokenRecord, 'deviceId' | 'maxUses'>>;

/** Creates a credential: a token, the credential of a device, or an enrolment secret. */
export async function mintToken(tx: Queries, wanted: TokenToMint, nowMs: number): Promise<MintedToken> {
  const { deviceId = null, maxUses = null } = wanted;
  const credential = mintCredential(wanted.environment);
  const record: TokenRecord = {
    tokenId: createId(maxUses === null ? ID_PREFIXES.token : ID_PREFIXES.enrolment, nowMs),
    tenantId: wanted.tenantId,
    name: wanted.name,
    scopes: wanted.scopes,
    environment: wanted.environment,
    hint: credentialHint(credential.reveal()),
    createdAtMs: nowMs,
    createdBy: wanted.createdBy,
    expiresAtMs: wanted.expiresAtMs,
    lastUsedAtMs: null,
    revokedAtMs: null,
    deviceId,
    maxUses,
    uses: maxUses === null ? null : 0,
    issued: null,
  };
  const digest = await tokenStore.create(tx, record, hashCredential(credential.reveal()));
  return { record, credential, digest };
}
