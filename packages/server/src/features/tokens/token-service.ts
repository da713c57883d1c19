import type { Environment, NewToken, Scope } from '@tps/contract';
import type { Database, Queries } from '../../database/index.ts';
import { type Clock, MAX_CLOCK_DIFFERENCE_MS } from '../../platform/clock.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { parseTimestamp, toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';
import { type AuditActor, type AuditRecord, actorOf, auditStore, COMMAND_LINE } from '../audit/index.ts';
import { awaitEndOfToken, lockTenant, RequestDatabase, tokenStatus } from '../authority/index.ts';
import { holdingStore } from '../holdings/index.ts';
import { tenantStore } from '../tenants/index.ts';
import * as deviceReadModel from './device-read-model.ts';
import { mintToken } from './mint-token.ts';
import {
  earlierExpiry,
  endOfAuthority,
  findEscalation,
  type MintedToken,
  type TokenRecord,
} from './token.ts';
import { enrolmentHoldings, tokenHoldings } from './token-holdings.ts';
import * as tokenStore from './token-store.ts';

/** A token to create, after all checks. */
export interface WantedToken {
  readonly tenantId: TenantId | null;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number | null;
  /** The device that the token is bound to, if it is. */
  readonly deviceId?: string | null;
}

/** Creates, rolls and revokes tokens, each with its audit entry in the same transaction. */
export class TokenService {
  readonly #database: Database;
  readonly #requests: RequestDatabase;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#requests = new RequestDatabase({ database, clock });
    this.#clock = clock;
  }

  /**
   * Creates a token inside a transaction of the request, whose `caller` is the token as the transaction confirmed it.
   * @throws ServiceError `invalid_field` when `expires_at` has passed; `scope_escalation`, which `refuseEscalation`
   * has thrown and recorded before unless the caller's own expiry was brought forward meanwhile
   */
  async create(tx: Queries, wanted: NewToken, request: AdmittedRequest): Promise<MintedToken> {
    await lockTenant(tx, request.tenantId);
    const nowMs = this.#clock.now();
    const wantedMs = expiryOf(wanted);
    if (wantedMs !== null && wantedMs <= nowMs) {
      throw new ServiceError('invalid_field', 'expires_at must be in the future');
    }
    const escalation = findEscalation(request.caller, { scopes: wanted.scopes, expiresAtMs: wantedMs });
    if (escalation) throw new ServiceError('scope_escalation', escalation.message);
    const expiresAtMs = earlierExpiry(wantedMs, endOfAuthority(request.caller));
    const environment = await environmentOf(tx, request.tenantId);
    const { tenantId } = request;
    const { name, scopes } = wanted;
    const minted = await this.#mint(
      tx,
      { tenantId, environment, name, scopes, expiresAtMs },
      { actor: actorOf(request), requestId: request.requestId, action: 'token.create' },
    );
    await holdingStore.own(tx, request, { ...holdingOf(minted.record), nowMs });
    return minted;
  }

  /** Creates a token from the command line; without a tenant it is an operator credential. */
  createFromCommandLine(tx: Queries, wanted: WantedToken): Promise<MintedToken> {
    return this.#mint(tx, wanted, { actor: COMMAND_LINE, requestId: null, action: 'token.create' });
  }

  /**
   * Rejects a token that would exceed or outlive the caller, and records the attempt.
   * @throws ServiceError `scope_escalation`
   */
  async refuseEscalation(
    wanted: { readonly scopes: readonly Scope[]; readonly expires_at?: string },
    request: AdmittedRequest & { tokenId?: string },
  ): Promise<void> {
    const { scopes } = wanted;
    const escalation = findEscalation(request.caller, { scopes, expiresAtMs: expiryOf(wanted) });
    if (!escalation) return;
    await this.#requests.transaction(request, (tx) =>
      auditStore.append(
        tx,
        {
          tenantId: request.tenantId,
          actor: actorOf(request),
          action: 'token.denied',
          resource: { type: 'token', id: request.tokenId ?? request.caller.tokenId },
          outcome: 'denied',
          requestId: request.requestId,
          detail: `Rejected: ${escalation.message}`,
          fields: escalation.fields,
        },
        this.#clock.now(),
      ),
    );
    throw new ServiceError('scope_escalation', escalation.message);
  }

  /**
   * Revokes a token; a repeat has no effect. Afterwards no request that it made before can change anything.
   * @throws ServiceError `not_found`
   */
  async revoke(tenantId: TenantId, tokenId: string, request: AdmittedRequest): Promise<void> {
    await this.#requests.transaction(request, async (tx) => {
      const token = await tokenStore.findForUpdate(tx, tenantId, tokenId);
      if (!token) throw notFound('token');
      if (token.revokedAtMs !== null) return;
      // Read under the lock, so that the audit trail is in order.
      const nowMs = this.#clock.now();
      await tokenStore.revoke(tx, tenantId, tokenId, nowMs);
      await auditStore.append(
        tx,
        {
          ...auditOf(token, {
            actor: actorOf(request),
            requestId: request.requestId,
            action: 'token.revoke',
          }),
          detail: `Token "${token.name}" revoked`,
          fields: { name: token.name, revoked_at: toTimestamp(nowMs) },
        },
        nowMs,
      );
    });
    await awaitEndOfToken(this.#database, { tenantId, tokenId });
  }

  /**
   * Replaces a token with a new one of the same name and scopes; the old one ends after the grace period. The new one
   * expires when the old one would have expired, or with the caller if that is earlier.
   * @throws ServiceError `not_found`, `scope_escalation`, or `invalid_state_transition` for a token that has ended
   */
  async roll(
    tenantId: TenantId,
    tokenId: string,
    { graceS, request }: { graceS: number; request: AdmittedRequest },
  ): Promise<MintedToken> {
    const seen = await tokenStore.find(this.#database.read, tenantId, tokenId);
    // A client gets its next access token from the token endpoint.
    if (!seen || seen.issued) throw notFound('token');
    await this.refuseEscalation({ scopes: seen.scopes }, { ...request, tenantId, tokenId });
    const minted = await this.#requests.transaction(request, async (tx, caller) => {
      await lockTenant(tx, tenantId);
      // A revocation of the device ends the credentials that it sees: not one that is created meanwhile.
      if (seen.deviceId !== null) await deviceReadModel.lock(tx, tenantId, seen.deviceId);
      // Locked: a revocation must not leave a successor behind, and two rolls must not create two.
      const old = await tokenStore.findForUpdate(tx, tenantId, tokenId);
      if (!old) throw notFound('token');
      const nowMs = this.#clock.now();
      const status = tokenStatus(old, nowMs);
      if (status !== 'active') {
        throw new ServiceError('invalid_state_transition', `The token is ${status} and cannot be rolled`);
      }
      // Without a grace period, also a node whose clock is behind accepts the old one no longer.
      const graceMs = graceS === 0 ? -MAX_CLOCK_DIFFERENCE_MS : graceS * 1000;
      const endsAtMs = Math.min(nowMs + graceMs, old.expiresAtMs ?? Number.POSITIVE_INFINITY);
      const act = { actor: actorOf(request), requestId: request.requestId, action: 'token.roll' };
      const expiresAtMs = earlierExpiry(old.expiresAtMs, endOfAuthority(caller));
      const next = await this.#mint(tx, { ...old, expiresAtMs }, { ...act, replaces: old, graceS, endsAtMs });
      // A credential of a device ends with the device, and with another caller who gets it.
      const isOwned = old.deviceId === null || caller.deviceId === undefined;
      if (isOwned) await holdingStore.own(tx, request, { ...holdingOf(next.record), nowMs });
      // Last: it may be the credential of this request.
      await tokenStore.setExpiry(tx, tenantId, tokenId, endsAtMs);
      return next;
    });
    if (graceS === 0) await awaitEndOfToken(this.#database, { tenantId, tokenId });
    return minted;
  }

  async #mint(
    tx: Queries,
    wanted: WantedToken,
    act: Act & { replaces?: TokenRecord; graceS?: number; endsAtMs?: number },
  ): Promise<MintedToken> {
    const nowMs = this.#clock.now();
    const { record, credential, digest } = await mintToken(tx, { ...wanted, createdBy: act.actor.id }, nowMs);
    const { replaces, graceS } = act;
    await auditStore.append(
      tx,
      {
        ...auditOf(replaces ?? record, act),
        detail: replaces
          ? `Token "${record.name}" rolled to ${record.tokenId}; the old one ends in ${graceS ?? 0} s`
          : `Token "${record.name}" created with the scopes ${record.scopes.join(' ')}`,
        fields: {
          name: record.name,
          scopes: record.scopes,
          digest,
          expires_at: toOptionalTimestamp(record.expiresAtMs),
          ...(replaces
            ? {
                successor: record.tokenId,
                grace_s: graceS,
                ends_at: toOptionalTimestamp(act.endsAtMs ?? null),
              }
            : {}),
        },
      },
      nowMs,
    );
    return { record, credential, digest };
  }
}

function holdingOf({ tokenId, maxUses }: TokenRecord) {
  return { rule: maxUses === null ? tokenHoldings : enrolmentHoldings, id: tokenId };
}

/** The body is validated; a time that UTC cannot express counts as past. */
function expiryOf({ expires_at: expiresAt }: { readonly expires_at?: string }): number | null {
  return expiresAt === undefined ? null : (parseTimestamp(expiresAt) ?? 0);
}

type Act = { actor: AuditActor; requestId: string | null; action: string };

function auditOf(
  token: TokenRecord,
  { actor, requestId, action }: Act,
): Omit<AuditRecord, 'detail' | 'fields'> {
  return {
    tenantId: token.tenantId,
    actor,
    requestId,
    action,
    resource: { type: 'token', id: token.tokenId },
    outcome: 'success',
  };
}

async function environmentOf(tx: Queries, tenantId: TenantId): Promise<Environment> {
  const tenant = await tenantStore.find(tx, tenantId);
  if (!tenant) throw notFound('tenant');
  return tenant.environment;
}
