import { DEFAULT_INVITATION_S, type NewInvitation, type Role } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { hashCredential } from '../../../platform/crypto/credentials.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { createId } from '../../../platform/identifiers.ts';
import { notFound } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { toStoredEmail } from '../../accounts/index.ts';
import { type ActingRequest, type AuditActor, actorOf, auditStore, COMMAND_LINE } from '../../audit/index.ts';
import { lockTenant, type RequestDatabase } from '../../authority/index.ts';
import { holdingStore } from '../../holdings/index.ts';
import { refuseEscalation, requireScopesOf } from '../role-escalation.ts';
import { type InvitationRecord, type MintedInvitation, toInvitationLink } from './invitation.ts';
import { invitationHoldings } from './invitation-holdings.ts';
import * as invitationStore from './invitation-store.ts';
import { mintLinkSecret } from './link-secret.ts';

/** Lifetime of the link with which a person becomes the first admin of a tenant. */
const ADMIN_LINK_S = 86_400;

/** A link that makes a person an admin. */
export interface AdminLink {
  readonly invitationId: string;
  readonly expiresAtMs: number;
  readonly link: Secret;
}

/** The one who invites. */
interface Inviter {
  readonly actor: AuditActor;
  readonly requestId: string | null;
}

/** Creates and revokes invitations, each with its audit entry in the same transaction. */
export class InvitationService {
  readonly #clock: Clock;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /**
   * Creates an invitation inside a transaction of the request, whose `caller` is as the transaction confirmed it.
   * @throws ServiceError `scope_escalation`, which `refuseEscalation` has thrown and recorded before
   */
  async create(tx: Queries, wanted: NewInvitation, request: AdmittedRequest): Promise<MintedInvitation> {
    const { email = null, role, expires_in_s: lifetimeS = DEFAULT_INVITATION_S } = wanted;
    requireScopesOf(request.caller, role);
    await lockTenant(tx, request.tenantId);
    const inviter = { actor: actorOf(request), requestId: request.requestId };
    // An invitation by a person or an application ends with these. One by a token does not outlive the token.
    const { expiresAtMs, issued } = request.caller;
    const notAfterMs = issued ? null : expiresAtMs;
    const { tenantId } = request;
    const minted = await this.#mint(tx, { tenantId, email, role, lifetimeS, notAfterMs }, inviter);
    const { invitationId: id, createdAtMs: nowMs } = minted.record;
    await holdingStore.own(tx, request, { rule: invitationHoldings, id, nowMs });
    return minted;
  }

  /** Creates a link that makes a person an admin of the tenant. Only the command line and the first start do this. */
  async createAdminLink(
    tx: Queries,
    { tenantId, authUrl }: { tenantId: TenantId; authUrl: string },
  ): Promise<AdminLink> {
    const wanted = { tenantId, email: null, role: 'admin', lifetimeS: ADMIN_LINK_S } as const;
    const { record, secret } = await this.#mint(tx, wanted, { actor: COMMAND_LINE, requestId: null });
    const { invitationId, expiresAtMs } = record;
    return { invitationId, expiresAtMs, link: new Secret(toInvitationLink(authUrl, secret)) };
  }

  /** Rejects an invitation to a role that exceeds the caller, and records the attempt. @throws ServiceError `scope_escalation` */
  refuseEscalation(requests: RequestDatabase, role: Role, request: AdmittedRequest): Promise<void> {
    return refuseEscalation(role, {
      requests,
      request,
      action: 'invitation.denied',
      resource: { type: 'tenant', id: request.tenantId },
      nowMs: this.#clock.now(),
    });
  }

  /** Revokes an invitation inside a transaction of the request; a repeat has no effect. @throws ServiceError `not_found` */
  async revoke(tx: Queries, invitationId: string, request: AdmittedRequest): Promise<void> {
    const { tenantId } = request;
    const invitation = await invitationStore.findForUpdate(tx, tenantId, invitationId);
    if (!invitation) throw notFound('invitation');
    if (invitation.revokedAtMs !== null || invitation.acceptedAtMs !== null) return;
    const nowMs = this.#clock.now();
    await invitationStore.revoke(tx, invitation, nowMs);
    await auditStore.appendFor(
      tx,
      request satisfies ActingRequest,
      {
        tenantId,
        action: 'invitation.revoke',
        resource: { type: 'invitation', id: invitationId },
        detail: `Invitation as ${invitation.role} revoked`,
        fields: { role: invitation.role, revoked_at: toTimestamp(nowMs) },
      },
      nowMs,
    );
  }

  async #mint(
    tx: Queries,
    wanted: {
      tenantId: TenantId;
      email: string | null;
      role: Role;
      lifetimeS: number;
      notAfterMs?: number | null;
    },
    { actor, requestId }: Inviter,
  ): Promise<MintedInvitation> {
    const { tenantId, email, role, lifetimeS, notAfterMs } = wanted;
    const nowMs = this.#clock.now();
    const secret = mintLinkSecret();
    const proof = email === null ? undefined : mintLinkSecret();
    const record: InvitationRecord = {
      tenantId,
      invitationId: createId(ID_PREFIXES.invitation, nowMs),
      email: email === null ? null : toStoredEmail(email),
      proofHash: proof ? hashCredential(proof.reveal()) : null,
      role,
      createdAtMs: nowMs,
      createdBy: actor.id,
      expiresAtMs: Math.min(nowMs + lifetimeS * 1000, notAfterMs ?? Number.POSITIVE_INFINITY),
      acceptedAtMs: null,
      acceptedBy: null,
      revokedAtMs: null,
    };
    await invitationStore.create(tx, record, hashCredential(secret.reveal()));
    await auditStore.append(
      tx,
      {
        tenantId,
        actor,
        action: 'invitation.create',
        resource: { type: 'invitation', id: record.invitationId },
        outcome: 'success',
        requestId,
        detail: `Invitation as ${role} created`,
        fields: { role, is_addressed: email !== null, expires_at: toTimestamp(record.expiresAtMs) },
      },
      nowMs,
    );
    return { record, secret, proof };
  }
}
