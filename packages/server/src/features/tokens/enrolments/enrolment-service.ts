import { DEFAULT_ENROLMENT_DAYS, MAX_ENROLMENT_DAYS, type NewEnrolment } from '@tps/contract';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { notFound, ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { parseTimestamp, toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';
import { auditStore } from '../../audit/index.ts';
import { awaitEndOfToken, lockTenant, RequestDatabase } from '../../authority/index.ts';
import { holdingStore } from '../../holdings/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import { refuseWiderDevices, scopesOpenTo } from '../device-credentials.ts';
import { mintToken } from '../mint-token.ts';
import { endOfAuthority, type MintedToken, type TokenRecord } from '../token.ts';
import { enrolmentHoldings } from '../token-holdings.ts';
import * as tokenStore from '../token-store.ts';

const DAY_MS = 86_400_000;

/** Creates, counts and revokes enrolment secrets, each with its audit entry in the same transaction. */
export class EnrolmentService {
  readonly #database: Database;
  readonly #requests: RequestDatabase;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#requests = new RequestDatabase({ database, clock });
    this.#clock = clock;
  }

  /**
   * Creates an enrolment secret inside a transaction of the request, whose `caller` is the token as the transaction
   * confirmed it.
   * @throws ServiceError `invalid_field` for an end that has passed or is too far ahead, `scope_escalation` for one
   * after the end of the caller's own token, or if that lacks a scope of the devices
   */
  async create(tx: Queries, wanted: NewEnrolment, request: AdmittedRequest): Promise<MintedToken> {
    const { tenantId, caller } = request;
    await lockTenant(tx, tenantId);
    const nowMs = this.#clock.now();
    refuseWiderDevices(caller);
    const expiresAtMs = endOf(wanted, { nowMs, callerEndsAtMs: endOfAuthority(caller) });
    const tenant = await tenantStore.find(tx, tenantId);
    if (!tenant) throw notFound('tenant');
    const { name, max_uses: maxUses = 1 } = wanted;
    const minted = await mintToken(
      tx,
      {
        tenantId,
        name,
        scopes: scopesOpenTo('enrolment'),
        environment: tenant.environment,
        createdBy: caller.tokenId,
        expiresAtMs,
        maxUses,
      },
      nowMs,
    );
    await holdingStore.own(tx, request, { rule: enrolmentHoldings, id: minted.record.tokenId, nowMs });
    await this.#audit(tx, minted.record, {
      request,
      action: 'enrolment.create',
      what: 'created',
      facts: { digest: minted.digest, expires_at: toOptionalTimestamp(expiresAtMs) },
    });
    return minted;
  }

  /**
   * Revokes a secret; a repeat has no effect. Afterwards no registration with it can succeed.
   * @throws ServiceError `not_found`
   */
  async revoke(tenantId: TenantId, enrolmentId: string, request: AdmittedRequest): Promise<void> {
    await this.#requests.transaction(request, async (tx) => {
      const enrolment = await tokenStore.findForUpdate(tx, tenantId, enrolmentId);
      if (!enrolment) throw notFound('enrolment');
      if (enrolment.revokedAtMs !== null) return;
      const nowMs = this.#clock.now();
      await tokenStore.revoke(tx, tenantId, enrolmentId, nowMs);
      await this.#audit(tx, enrolment, {
        request,
        action: 'enrolment.revoke',
        what: 'revoked',
        facts: { revoked_at: toTimestamp(nowMs) },
      });
    });
    await awaitEndOfToken(this.#database, { tenantId, tokenId: enrolmentId });
  }

  async #audit(
    tx: Queries,
    enrolment: TokenRecord,
    {
      request,
      action,
      what,
      facts = {},
    }: { request: AdmittedRequest; action: string; what: string; facts?: object },
  ): Promise<void> {
    const { tenantId, tokenId, name, maxUses } = enrolment;
    const change = {
      tenantId,
      action,
      resource: { type: 'enrolment', id: tokenId },
      detail: `Enrolment secret "${name}" ${what}`,
      fields: { name, max_uses: maxUses, ...facts },
    };
    await auditStore.appendFor(tx, request, change, this.#clock.now());
  }
}

/** By default a secret ends early enough for the caller's token. */
function endOf(
  { expires_at: wanted }: NewEnrolment,
  { nowMs, callerEndsAtMs }: { nowMs: number; callerEndsAtMs: number | null },
): number {
  const latestMs = callerEndsAtMs ?? Number.POSITIVE_INFINITY;
  if (wanted === undefined) return Math.min(nowMs + DEFAULT_ENROLMENT_DAYS * DAY_MS, latestMs);
  const endsAtMs = parseTimestamp(wanted) ?? nowMs;
  if (endsAtMs <= nowMs) throw new ServiceError('invalid_field', 'expires_at must be in the future');
  if (endsAtMs > nowMs + MAX_ENROLMENT_DAYS * DAY_MS) {
    throw new ServiceError('invalid_field', `expires_at must be at most ${MAX_ENROLMENT_DAYS} days ahead`);
  }
  if (endsAtMs > latestMs) {
    throw new ServiceError('scope_escalation', 'expires_at must not be after the calling token expires');
  }
  return endsAtMs;
}
