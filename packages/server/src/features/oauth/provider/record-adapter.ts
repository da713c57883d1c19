import type { Scope } from '@tps/contract';
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import {
  clientRequester,
  type Database,
  listExcess,
  networkRequester,
  personRequester,
  type Queries,
  type Requester,
} from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { hashCredential } from '../../../platform/crypto/credentials.ts';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';
import { hasNul } from '../../../platform/text.ts';
import { awaitEndOfTokens } from '../../authority/index.ts';
import { issuedTokenStore } from '../../tokens/index.ts';
import * as clientReadModel from '../clients/client-read-model.ts';
import * as clientStore from '../clients/client-store.ts';
import { COMMAND_LINE_CLIENT } from '../command-line-client.ts';
import * as consentStore from '../consent/consent-store.ts';
import { makeRoomForGrant } from '../end-access.ts';
import { tenantOfGrant } from '../grant-id.ts';
import { keysOf, proofIn } from './client-proof.ts';
import { issueToken, relyOnGrant } from './issue-token.ts';
import * as memberReadModel from './member-read-model.ts';
import { toProviderClient } from './provider-client.ts';
import { GRANT_S } from './provider-settings.ts';
import * as recordStore from './record-store.ts';
import { consumeRecord, endGrant, type Redemption } from './redemption.ts';

/** Creates the error that makes the authorization server respond `invalid_grant`. */
type InvalidGrant = (reason: string) => Error;

export interface AdapterParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly invalidGrant: InvalidGrant;
  readonly tooLarge: () => Error;
  /** The request that is being served. */
  readonly context: () => KoaContextWithOIDC | undefined;
  /** Returns the key of the address that a request comes from. */
  readonly peerOf: (request: KoaContextWithOIDC['req']) => string;
}

/** Models whose records are access tokens: each has a row among the tokens. */
const ACCESS_TOKENS = ['AccessToken', 'ClientCredentials'];
/** Models whose records exist only as long as their grant. */
const OF_GRANT = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/**
 * A grant lasts as long as the longest of its tokens. Until it has one, it lasts as long as a code: otherwise each sign-in at an
 * application, which makes a grant, would leave a row for months, and many could end one that is in use.
 */
const UNUSED_GRANT_S = 600;

const USE_RECORDED_EVERY_MS = 60_000;

/** Models whose records exist before a sign-in: anyone can request them, if the client is public. */
const BEFORE_SIGN_IN = ['DeviceCode', 'PushedAuthorizationRequest'];
/** Models whose records belong to a person who is signed in. */
const OF_PERSON = ['Interaction', 'Session'];
/** The largest of these records, in characters: the longest that a link can be. */
const MAX_ASKED = 8192;

/**
 * A record that was found by another value than its id is stored again under its hash: its id is not known. No request finds a
 * record by this.
 */
const STAND_IN = '#';

function toStandIn({ record_hash }: recordStore.OauthRecord): string {
  return `${STAND_IN}${record_hash}`;
}

/** Stores what the authorization server keeps of one model. */
export class RecordAdapter implements Adapter {
  readonly #model: string;
  readonly #parts: AdapterParts;

  constructor(model: string, parts: AdapterParts) {
    this.#model = model;
    this.#parts = parts;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInS?: number): Promise<void> {
    const { database, clock, invalidGrant, tooLarge } = this.#parts;
    const requester = this.#requesterOf(payload);
    if (requester === 'none') return;
    const isBeforeSignIn = BEFORE_SIGN_IN.includes(this.#model);
    if (isBeforeSignIn && JSON.stringify(payload).length > MAX_ASKED) throw tooLarge();
    const tenantId = await this.#tenantOf(id, payload);
    const isStored = await database.transaction(
      async (tx) => {
        const nowMs = clock.now();
        const lifetimeS = this.#model === 'Grant' ? UNUSED_GRANT_S : (expiresInS ?? 0);
        const expiresAtMs = nowMs + lifetimeS * 1000;
        const record = {
          ...this.#toRecord(id, payload, { tenantId, nowMs, expiresAtMs }),
          asked_by: requester?.key ?? null,
        };
        if (this.#model === 'ReplayDetection') return recordStore.create(tx, record);
        if (this.#model === 'Grant' && !(await this.#mayGrant(tx, record))) return false;
        if (OF_GRANT.includes(this.#model) && !(await this.#mayAddToGrant(tx, record, nowMs))) return false;
        if (ACCESS_TOKENS.includes(this.#model)) {
          const token = this.#toToken(id, payload, { tenantId: tenantId as TenantId, expiresAtMs });
          if (!(await issueToken(tx, token, nowMs))) return false;
        }
        await recordStore.save(tx, record);
        return true;
      },
      { repeatable: true },
    );
    if (!isStored) throw invalidGrant('what the request relies on has ended');
    if (requester) await this.#removeExcess(requester);
    if (ACCESS_TOKENS.includes(this.#model)) await this.#markUsed(payload.clientId ?? '');
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { database, clock } = this.#parts;
    if (this.#model === 'Client') return this.#findClient(id);
    const nowMs = clock.now();
    const record = await recordStore.find(database.read, recordStore.recordHashOf(this.#model, id), nowMs);
    if (!record) return undefined;
    if (ACCESS_TOKENS.includes(this.#model)) {
      const token = await issuedTokenStore.findActive(database.read, hashCredential(id), nowMs);
      if (!token) return undefined;
    }
    return { ...this.#toPayload(record), jti: id };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const { database, clock } = this.#parts;
    const record = await recordStore.findByUid(database.read, uid, clock.now());
    return record && { ...this.#toPayload(record), jti: toStandIn(record) };
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const { database, clock } = this.#parts;
    const hash = recordStore.recordHashOf('user code', userCode);
    const record = await recordStore.findByUserCode(database.read, hash, clock.now());
    return record && { ...this.#toPayload(record), userCode, jti: toStandIn(record) };
  }

  async consume(id: string): Promise<void> {
    await consumeRecord(this.#redemption(), { model: this.#model, id });
  }

  async destroy(id: string): Promise<void> {
    const { database, clock } = this.#parts;
    if (this.#model === 'Grant') return endGrant(this.#redemption(), id);
    const hash = this.#hashOf(id);
    const nowMs = clock.now();
    const ended = await database.transaction(async (tx) => {
      const record = await recordStore.find(tx, hash, nowMs);
      await recordStore.remove(tx, hash);
      if (!record || !ACCESS_TOKENS.includes(this.#model)) return undefined;
      const tenantId = record.tenant_id as TenantId;
      const tokenIds = await issuedTokenStore.revoke(tx, { tenantId, tokenHash: hashCredential(id) }, nowMs);
      return { tenantId, tokenIds };
    });
    if (ended) await awaitEndOfTokens(database, ended);
  }

  /** The grant itself is destroyed as well, and everything of it with it. */
  async revokeByGrantId(): Promise<void> {}

  /** Also accepts what stands in for the id of a record that was found by something else. */
  #hashOf(id: string): string {
    return id.startsWith(STAND_IN) ? id.slice(STAND_IN.length) : recordStore.recordHashOf(this.#model, id);
  }

  /**
   * A grant begins only while its client, its membership and the person's consent exist. Locks the first two: what ends one of
   * them, or removes the consent, then ends the grant too.
   */
  async #mayGrant(
    tx: Queries,
    { tenant_id, client_id, account_id, created_at: nowMs }: recordStore.OauthRecord,
  ): Promise<boolean> {
    const tenantId = tenant_id as TenantId;
    if (tenantId === NO_TENANT || client_id === null || account_id === null) return false;
    await memberReadModel.lock(tx, tenantId, account_id);
    if (!(await memberReadModel.findRole(tx, tenantId, account_id))) return false;
    const consent = { tenantId, accountId: account_id, clientId: client_id };
    const isOwnClient = client_id === COMMAND_LINE_CLIENT;
    const client = isOwnClient ? undefined : await clientStore.findForUpdate(tx, tenantId, client_id);
    if (!client && !isOwnClient) return false;
    const given = await consentStore.find(tx, consent);
    if (!given) return false;
    if (client && given.latest && given.latest.clientVersion !== client.version) return false;
    await makeRoomForGrant(tx, consent, { requestId: requestIdOf(this.#parts.context()), nowMs });
    return true;
  }

  async #mayAddToGrant(tx: Queries, record: recordStore.OauthRecord, nowMs: number): Promise<boolean> {
    const { grant_id: grantId, client_id: clientId, account_id: accountId } = record;
    if (grantId === null || clientId === null || accountId === null) return false;
    const grant = await relyOnGrant(tx, { grantId, clientId, accountId }, nowMs);
    if (!grant) return false;
    if (this.#model === 'AuthorizationCode') return true;
    const latestMs = grant.created_at + GRANT_S * 1000;
    await recordStore.keepUntil(tx, grant.record_hash, Math.min(record.expires_at, latestMs));
    const live = await recordStore.listUnused(tx, grantId, nowMs);
    // Two simultaneous redemptions: the second adds nothing.
    if (this.#model === 'RefreshToken') return live.length === 0;
    const { RotatedRefreshToken: before, RefreshToken: fresh } = this.#parts.context()?.oidc.entities ?? {};
    if (!before || !fresh) return true;
    // The refresh token that was issued with this access token may have been replaced already.
    return live.some((one) => one.record_hash === recordStore.recordHashOf('RefreshToken', fresh.jti));
  }

  async #findClient(clientId: string): Promise<AdapterPayload | undefined> {
    // A form, a header or an assertion has it.
    if (hasNul(clientId)) return undefined;
    const client = await clientReadModel.findById(this.#parts.database.read, clientId);
    const proof = proofIn(this.#parts.context());
    if (client?.authMethod === 'private_key_jwt' && proof) proof.keys ??= keysOf(client);
    return toProviderClient(clientId, client);
  }

  /** In a separate transaction, which locks nothing else. */
  async #markUsed(clientId: string): Promise<void> {
    const { database, clock } = this.#parts;
    const client = await clientReadModel.findById(database.read, clientId);
    const nowMs = clock.now();
    if (!client || nowMs - (client.lastUsedAtMs ?? 0) < USE_RECORDED_EVERY_MS) return;
    await database.transaction((tx) => clientStore.markUsed(tx, client.tenantId, { clientId, nowMs }));
  }

  /**
   * Returns the requester under whose limit a new record counts; undefined if it counts under none. Returns `none` for an
   * authorization request of a browser in which no one is signed in: it is not stored, because the sign-in page leads back
   * to it. A pushed request has no address to lead back to, so it is stored, and counts for its network.
   */
  #requesterOf(payload: AdapterPayload): Requester | 'none' | undefined {
    const { context, peerOf } = this.#parts;
    const { req, oidc } = context() ?? {};
    const network = () => networkRequester(req ? peerOf(req) : 'unknown');
    if (BEFORE_SIGN_IN.includes(this.#model)) {
      const { clientId = '', tokenEndpointAuthMethod } = oidc?.client ?? {};
      return tokenEndpointAuthMethod === 'none' ? network() : clientRequester(this.#model, clientId);
    }
    if (!OF_PERSON.includes(this.#model)) return undefined;
    const accountId = payload.accountId ?? payload.session?.accountId;
    if (accountId !== undefined) return personRequester(this.#model, accountId);
    return this.#model === 'Interaction' && payload.parJti !== undefined ? network() : 'none';
  }

  async #removeExcess(requester: Requester): Promise<void> {
    const { database } = this.#parts;
    for (const hash of await listExcess(database.read, 'oauth_records', requester)) {
      await database.transaction((tx) => recordStore.removeExcess(tx, hash));
    }
  }

  async #tenantOf(id: string, { grantId, clientId }: AdapterPayload): Promise<string> {
    if (this.#model === 'Grant') return tenantOfGrant(id);
    if (OF_GRANT.includes(this.#model)) return tenantOfGrant(grantId ?? '');
    if (this.#model !== 'ClientCredentials' || clientId === undefined) return NO_TENANT;
    const client = await clientReadModel.findById(this.#parts.database.read, clientId);
    return client?.tenantId ?? NO_TENANT;
  }

  #toRecord(
    id: string,
    payload: AdapterPayload,
    { tenantId, nowMs, expiresAtMs }: { tenantId: string; nowMs: number; expiresAtMs: number },
  ): Omit<recordStore.OauthRecord, 'asked_by'> {
    const { jti, userCode, consumed, ...content } = payload;
    return {
      tenant_id: tenantId,
      record_hash: this.#hashOf(id),
      model: this.#model,
      payload: JSON.stringify(content),
      grant_id: this.#model === 'Grant' ? id : (payload.grantId ?? null),
      uid: payload.uid ?? null,
      user_code_hash: userCode === undefined ? null : recordStore.recordHashOf('user code', userCode),
      client_id: payload.clientId ?? null,
      account_id: payload.accountId ?? null,
      created_at: nowMs,
      expires_at: expiresAtMs,
      consumed_at: null,
    };
  }

  #toPayload({ payload, consumed_at }: recordStore.OauthRecord): AdapterPayload {
    const content = JSON.parse(payload) as AdapterPayload;
    // At the token endpoint `consume` decides, in one statement: what was read before may have changed.
    const isRedemption = this.#parts.context()?.oidc.route === 'token';
    if (consumed_at === null || isRedemption) return content;
    return { ...content, consumed: Math.floor(consumed_at / 1000) };
  }

  #toToken(
    credential: string,
    { clientId = '', grantId, accountId, scope = '', jkt }: TokenPayload,
    { tenantId, expiresAtMs }: { tenantId: TenantId; expiresAtMs: number },
  ): Parameters<typeof issueToken>[1] {
    const context = this.#parts.context();
    const { AuthorizationCode, DeviceCode, RefreshToken } = context?.oidc.entities ?? {};
    const authTime = (AuthorizationCode ?? DeviceCode ?? RefreshToken)?.authTime;
    return {
      ...{ credential, tenantId, clientId, expiresAtMs },
      grantId: grantId ?? null,
      accountId: accountId ?? null,
      scopes: scope.split(' ').filter((name): name is Scope => name.includes(':')),
      keyThumbprint: jkt ?? null,
      authenticatedAtMs: authTime === undefined ? null : authTime * 1000,
      proof: { ...proofIn(context), grantType: grantTypeIn(context) },
      requestId: requestIdOf(context),
    };
  }

  #redemption(): Redemption {
    const { context, ...parts } = this.#parts;
    return { ...parts, requestId: requestIdOf(context()) };
  }
}

/** The grant type of a token request. */
function grantTypeIn(context: KoaContextWithOIDC | undefined): string | undefined {
  const type = context?.oidc.params?.grant_type;
  return typeof type === 'string' ? type : undefined;
}

interface TokenPayload {
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly scope?: string | undefined;
  readonly jkt?: string | undefined;
}

function requestIdOf(context: KoaContextWithOIDC | undefined): string | null {
  const id = context?.res.getHeader('x-request-id');
  return typeof id === 'string' ? id : null;
}
