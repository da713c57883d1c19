import { type ClientSecretRotation, type OAuthClientChange, ROLE_SCOPES, type Scope } from '@tps/contract';
import { DEFAULT_ROTATION_OVERLAP_S, ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { credentialHint, hashCredential, mintClientSecret } from '../../../platform/crypto/credentials.ts';
import type { Secret } from '../../../platform/crypto/secret.ts';
import type { AdmittedRequest, Caller } from '../../../platform/http/route.ts';
import { createId } from '../../../platform/identifiers.ts';
import { notFound, ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { actorOf, auditStore } from '../../audit/index.ts';
import { awaitEndOfTokens, lockTenant, RequestDatabase } from '../../authority/index.ts';
import { type EndHoldings, holdingStore } from '../../holdings/index.ts';
import { endAccessOfClient, endTokensOfClient } from '../end-access.ts';
import { entryOf } from './client-audit.ts';
import { clientHoldings } from './client-holdings.ts';
import * as clientStore from './client-store.ts';
import { removeClient } from './end-client.ts';
import {
  type ClientSettings,
  changeClient,
  type HashedSecret,
  hasFewerScopes,
  hasOtherKeys,
  hasSecret,
  isNarrower,
  isWider,
  type OAuthClientRecord,
  rotateSecret,
} from './oauth-client.ts';

/** Beside the order of locks. */
const REPEATABLE = { repeatable: true } as const;

/** A client with its secret, if it has one; the secret cannot be shown again. */
export interface CreatedClient {
  readonly client: OAuthClientRecord;
  readonly secret: Secret | undefined;
}

/** Creates, changes and removes OAuth clients, each with its audit entry in the same transaction. */
export class OAuthClientService {
  readonly #store: Database;
  readonly #database: RequestDatabase;
  readonly #clock: Clock;

  readonly #endHoldings: EndHoldings;

  constructor(parts: { database: Database; clock: Clock; endHoldings: EndHoldings }) {
    const { database, clock } = parts;
    this.#store = database;
    this.#database = new RequestDatabase({ database, clock });
    this.#clock = clock;
    this.#endHoldings = parts.endHoldings;
  }

  /**
   * Creates a client inside a transaction of the request, whose `caller` is the token as the transaction confirmed it.
   * @throws ServiceError `scope_escalation`, which `refuseEscalation` has thrown and recorded before unless the caller
   * has lost a scope meanwhile
   */
  async create(tx: Queries, settings: ClientSettings, request: AdmittedRequest): Promise<CreatedClient> {
    requireAuthority(request.caller, settings.scopes);
    await lockTenant(tx, request.tenantId);
    const nowMs = this.#clock.now();
    const { secret, hashed } = hasSecret(settings.authMethod) ? newSecret() : {};
    const client: OAuthClientRecord = {
      ...settings,
      tenantId: request.tenantId,
      clientId: createId(ID_PREFIXES.oauth_client, nowMs),
      secret: hashed ?? null,
      previous: null,
      createdAtMs: nowMs,
      createdBy: actorOf(request).id,
      updatedAtMs: nowMs,
      lastUsedAtMs: null,
      version: 1,
    };
    await clientStore.create(tx, client);
    await holdingStore.own(tx, request, { rule: clientHoldings, id: client.clientId, nowMs });
    await auditStore.appendFor(tx, request, entryOf(client, 'oauth_client.create'), nowMs);
    return { client, secret };
  }

  /**
   * Ends the tokens and grants of the client if the change takes something away, and what was set up with them if it takes a
   * scope away.
   * @throws ServiceError `not_found`, `invalid_field`, `scope_escalation`
   */
  async update(
    clientId: string,
    { change, request }: { change: OAuthClientChange; request: AdmittedRequest },
  ): Promise<OAuthClientRecord> {
    const { tenantId } = request;
    const seen = await clientStore.find(this.#database.read, tenantId, clientId);
    if (!seen) throw notFound('OAuth client');
    await this.refuseEscalation(change.scopes ?? seen.scopes, { ...request, clientId });
    const { after, awaitEnd } = await this.#database.transaction(
      request,
      async (tx, caller) => {
        await lockTenant(tx, tenantId);
        const before = await getForUpdate(tx, tenantId, clientId);
        const nowMs = this.#clock.now();
        const after = changeClient(before, change, nowMs);
        requireAuthority(caller, after.scopes);
        await clientStore.update(tx, after);
        const holding = { rule: clientHoldings, id: clientId, nowMs };
        if (hasOtherKeys(before, after)) await holdingStore.share(tx, request, holding);
        else if (isWider(before, after)) await holdingStore.join(tx, request, holding);
        const isEnding = isNarrower(before, after);
        const tokenIds = isEnding ? await endAccessOfClient(tx, tenantId, { clientId, nowMs }) : [];
        const why = 'the client that set it up has lost a scope';
        const awaitEnd = hasFewerScopes(before, after)
          ? await this.#endHoldings(tx, tenantId, { clientId }, { signOn: 'release', why, tokenIds })
          : () => awaitEndOfTokens(this.#store, { tenantId, tokenIds });
        const entry = entryOf(after, 'oauth_client.update', { ended_access: isEnding });
        await auditStore.appendFor(tx, request, entry, nowMs);
        return { after, awaitEnd };
      },
      REPEATABLE,
    );
    await awaitEnd();
    return after;
  }

  /**
   * Replaces the secret. Without an overlap, it also ends the access tokens of the client: someone may have the secret.
   * @throws ServiceError `not_found`, `scope_escalation`, or `invalid_state_transition` for a client without a secret
   */
  async rotateSecret(
    clientId: string,
    { rotation, request }: { rotation: ClientSecretRotation; request: AdmittedRequest },
  ): Promise<CreatedClient> {
    const { tenantId } = request;
    const { overlap_s: overlapS = DEFAULT_ROTATION_OVERLAP_S } = rotation;
    const seen = await clientStore.find(this.#database.read, tenantId, clientId);
    if (!seen) throw notFound('OAuth client');
    await this.refuseEscalation(seen.scopes, { ...request, clientId });
    const rotate = async (tx: Queries, caller: Caller) => {
      // Before an adoption, or after it: it depends on who has replaced the secret.
      await lockTenant(tx, tenantId);
      const before = await getForUpdate(tx, tenantId, clientId);
      requireAuthority(caller, before.scopes);
      if (!before.secret) {
        throw new ServiceError('invalid_state_transition', 'The client has no secret that could be replaced');
      }
      const nowMs = this.#clock.now();
      const { secret, hashed } = newSecret();
      const client = rotateSecret(before, hashed, { overlapS, nowMs });
      await clientStore.update(tx, client);
      await holdingStore.share(tx, request, { rule: clientHoldings, id: clientId, nowMs });
      const tokenIds = overlapS === 0 ? await endTokensOfClient(tx, tenantId, { clientId, nowMs }) : [];
      const entry = entryOf(client, 'oauth_client.rotate_secret', { overlap_s: overlapS });
      await auditStore.appendFor(tx, request, entry, nowMs);
      return { created: { client, secret }, tokenIds };
    };
    const { created, tokenIds } = await this.#database.transaction(request, rotate, REPEATABLE);
    await awaitEndOfTokens(this.#store, { tenantId, tokenIds });
    return created;
  }

  /**
   * Removes a client and ends its tokens and grants, and what was set up with them.
   * @throws ServiceError `not_found`, also when repeated; `invalid_state_transition` if single sign-on was set up with the
   * client, and the caller may not end it
   */
  async remove(clientId: string, request: AdmittedRequest): Promise<void> {
    const { tenantId } = request;
    const awaitEnd = await this.#database.transaction(
      request,
      async (tx, caller) => {
        await lockTenant(tx, tenantId);
        const client = await getForUpdate(tx, tenantId, clientId);
        const nowMs = this.#clock.now();
        const tokenIds = await removeClient(tx, client, nowMs);
        await holdingStore.release(tx, tenantId, { kind: 'oauth_client', id: clientId });
        const signOn = mayEndSignOn(caller) ? 'end' : 'refuse';
        const how = { signOn, why: 'the client that set it up was deleted', tokenIds } as const;
        const ended = await this.#endHoldings(tx, tenantId, { clientId }, how);
        await auditStore.appendFor(tx, request, entryOf(client, 'oauth_client.delete'), nowMs);
        return ended;
      },
      REPEATABLE,
    );
    await awaitEnd();
  }

  /**
   * Rejects a client that would have more authority than the caller, and records the attempt.
   * @throws ServiceError `scope_escalation`
   */
  async refuseEscalation(
    scopes: readonly Scope[],
    request: AdmittedRequest & { clientId?: string },
  ): Promise<void> {
    const escalation = escalationOf(request.caller, scopes);
    if (!escalation) return;
    await this.#database.transaction(request, (tx) =>
      auditStore.append(
        tx,
        {
          tenantId: request.tenantId,
          actor: actorOf(request),
          action: 'oauth_client.denied',
          resource: request.clientId
            ? { type: 'oauth_client', id: request.clientId }
            : { type: 'token', id: request.caller.tokenId },
          outcome: 'denied',
          requestId: request.requestId,
          detail: `Rejected: ${escalation}`,
          fields: { scopes },
        },
        this.#clock.now(),
      ),
    );
    throw new ServiceError('scope_escalation', escalation);
  }
}

/**
 * A client has no end. So a token with an end must not create one, unless it is an access token, which can be had again
 * at any time.
 */
function escalationOf(caller: Caller, scopes: readonly Scope[]): string | undefined {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) return `The caller does not hold the scope ${missing.join(', ')}`;
  if (caller.expiresAtMs === null || caller.issued !== undefined) return undefined;
  return 'The credential of the caller expires, and a client would outlive it';
}

function requireAuthority(caller: Caller, scopes: readonly Scope[]): void {
  const escalation = escalationOf(caller, scopes);
  if (escalation) throw new ServiceError('scope_escalation', escalation);
}

/** As `DELETE /sign-on` requires it. */
function mayEndSignOn({ scopes }: Caller): boolean {
  return ROLE_SCOPES.admin.every((scope) => scopes.includes(scope));
}

function newSecret(): { secret: Secret; hashed: HashedSecret } {
  const secret = mintClientSecret();
  const text = secret.reveal();
  return { secret, hashed: { hash: hashCredential(text), hint: credentialHint(text) } };
}

async function getForUpdate(tx: Queries, tenantId: TenantId, clientId: string): Promise<OAuthClientRecord> {
  const client = await clientStore.findForUpdate(tx, tenantId, clientId);
  if (!client) throw notFound('OAuth client');
  return client;
}
