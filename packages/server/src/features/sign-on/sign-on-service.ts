import type { SignOnSettings } from '@tps/contract';
import type { Clock } from '../../platform/clock.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { actorOf, auditStore } from '../audit/index.ts';
import { lockTenant, type RequestDatabase } from '../authority/index.ts';
import { holdingStore } from '../holdings/index.ts';
import { refuseEscalation, requireScopesOf } from '../members/index.ts';
import { isClaimName } from './claims/claim.ts';
import { type OpenIdProviders, ProviderError } from './openid-provider.ts';
import { forgetPeople, removeProvider } from './remove-provider.ts';
import { auditOf } from './sign-on-audit.ts';
import { signOnHoldings } from './sign-on-holdings.ts';
import { type SignOnProvider, secretBinding } from './sign-on-provider.ts';
import * as providerStore from './sign-on-provider-store.ts';

interface Parts {
  readonly database: RequestDatabase;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly providers: OpenIdProviders;
}

/** Sets up and ends single sign-on, each with its audit entry in the same transaction. */
export class SignOnService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the secret of a provider; undefined for a public client, and if the secret cannot be read. */
  secretOf(tenantId: TenantId, { secret, issuer }: SignOnProvider): Secret | undefined {
    return secret === null ? undefined : this.#parts.secrets.open(secret, secretBinding(tenantId, issuer));
  }

  /**
   * Sets up the provider of a tenant, or changes it. Contacts the provider first.
   * @throws ServiceError `invalid_field` if the provider cannot be used, `scope_escalation`
   */
  async replace(
    tenantId: TenantId,
    wanted: SignOnSettings,
    request: AdmittedRequest,
  ): Promise<SignOnProvider> {
    const { database, clock, secrets, providers } = this.#parts;
    await this.#refuseEscalation(request);
    assertRoleClaim(wanted);
    const seen = await providerStore.find(database.read, tenantId);
    const { issuer, client_id: clientId } = wanted;
    const secret = this.#secretFor(tenantId, wanted, seen);
    try {
      await providers.check({ issuer, clientId, secret });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw new ServiceError('invalid_field', `issuer cannot be used: ${error.message}`, { cause: error });
    }
    return database.transaction(request, async (tx, caller) => {
      requireScopesOf(caller, 'admin');
      await lockTenant(tx, tenantId);
      const before = await providerStore.findForUpdate(tx, tenantId);
      const nowMs = Math.max(clock.now(), (before?.updatedAtMs ?? 0) + 1);
      const provider: SignOnProvider = {
        issuer,
        clientId,
        secret: secret ? secrets.seal(secret, secretBinding(tenantId, issuer)) : null,
        allowedDomains: wanted.allowed_domains,
        trustsEmail: wanted.trust_email ?? false,
        extraScopes: wanted.extra_scopes ?? [],
        roleClaim: wanted.role_claim ?? null,
        roleMap: wanted.role_map ?? [],
        defaultRole: wanted.default_role ?? null,
        createMembers: wanted.create_members ?? false,
        isRequired: wanted.required ?? false,
        createdAtMs: before?.createdAtMs ?? nowMs,
        updatedAtMs: nowMs,
        updatedBy: actorOf(request).id,
      };
      await providerStore.save(tx, tenantId, provider);
      const holding = { rule: signOnHoldings, id: tenantId, nowMs };
      if (before?.issuer === issuer) await holdingStore.share(tx, request, holding);
      else await holdingStore.own(tx, request, holding);
      if (before && before.issuer !== issuer) await forgetPeople(tx, tenantId, nowMs);
      const entry = auditOf(tenantId, before ? 'sign_on.update' : 'sign_on.create', { provider, before });
      await auditStore.appendFor(tx, request, entry, nowMs);
      return provider;
    });
  }

  /**
   * Ends single sign-on. People without a password or passkey can then no longer sign in.
   * @throws ServiceError `not_found`, also when repeated; `scope_escalation`
   */
  async remove(tenantId: TenantId, request: AdmittedRequest): Promise<void> {
    await this.#refuseEscalation(request);
    await this.#parts.database.transaction(request, async (tx, caller) => {
      requireScopesOf(caller, 'admin');
      await lockTenant(tx, tenantId);
      const provider = await providerStore.findForUpdate(tx, tenantId);
      if (!provider) throw notFound('sign-on provider');
      const nowMs = this.#parts.clock.now();
      await removeProvider(tx, tenantId, nowMs);
      await auditStore.appendFor(
        tx,
        request,
        auditOf(tenantId, 'sign_on.delete', { provider, before: provider }),
        nowMs,
      );
    });
  }

  /** The provider decides who is an admin, so the caller must hold the scopes of an admin. Records the attempt. */
  #refuseEscalation(request: AdmittedRequest): Promise<void> {
    const { database: requests, clock } = this.#parts;
    return refuseEscalation('admin', {
      requests,
      request,
      action: 'sign_on.denied',
      resource: { type: 'sign_on', id: request.tenantId },
      nowMs: clock.now(),
    });
  }

  /** The new secret, or the present one of the same issuer and client. */
  #secretFor(
    tenantId: TenantId,
    { issuer, client_id: clientId, client_secret: given }: SignOnSettings,
    seen: SignOnProvider | undefined,
  ): Secret | undefined {
    if (given !== undefined) return new Secret(given);
    // A secret must never be sent to another provider than the one that issued it.
    if (seen?.issuer !== issuer || seen.clientId !== clientId) return undefined;
    const secret = this.secretOf(tenantId, seen);
    if (seen.secret !== null && !secret) {
      throw new ServiceError('invalid_field', 'client_secret is required: the stored one cannot be read');
    }
    return secret;
  }
}

function assertRoleClaim({
  role_claim: claim,
  role_map: map = [],
  default_role: role,
}: SignOnSettings): void {
  if (claim === undefined || claim === null) return;
  if (!isClaimName(claim)) {
    const rule = 'with ~1 for "/" and ~0 for "~" in a name';
    throw new ServiceError(
      'invalid_field',
      `role_claim must be the name of a claim, or a JSON Pointer (RFC 6901) such as /realm_access/roles, ${rule}`,
    );
  }
  // Otherwise each sign-in would end a membership.
  if (map.length > 0 || (role ?? null) !== null) return;
  throw new ServiceError(
    'invalid_field',
    'role_map must have an entry if role_claim is set and default_role is not',
  );
}
