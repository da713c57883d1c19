import { ROLES, type Role } from '@tps/contract';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import { hashCredential } from '../../../platform/crypto/credentials.ts';
import { notFound } from '../../../platform/service-error.ts';
import { auditStore } from '../../audit/index.ts';
import { type Tenant, tenantStore } from '../../tenants/index.ts';
import type { EndAccessOfMember } from '../member-access.ts';
import * as membershipStore from '../membership-store.ts';
import type { InvitationRecord } from './invitation.ts';
import * as invitationStore from './invitation-store.ts';

/** An invitation that can be accepted now. */
export interface OpenInvitation {
  readonly invitation: InvitationRecord;
  readonly tenant: Tenant;
}

/** Finds the invitation of a link. One that is unknown, expired, used, revoked, or of a deleted tenant is not found. */
export async function findOpenInvitation(
  queries: ReadQueries,
  secret: string,
  nowMs: number,
): Promise<OpenInvitation | undefined> {
  const invitation = await invitationStore.findPending(queries, hashCredential(secret), nowMs);
  const tenant = invitation && (await tenantStore.find(queries, invitation.tenantId));
  return tenant && { invitation, tenant };
}

/** What an accepted invitation changed. */
export interface Acceptance {
  /** Whether the account has joined, or got a greater role. If not, the invitation stays pending. */
  readonly hasJoined: boolean;
  /** Call it after the commit: resolves when nothing can use the access of the earlier role any more. */
  readonly awaitEnd: () => Promise<void>;
}

/**
 * Makes an account a member by an invitation. Of several simultaneous calls, one uses the invitation. A member with a
 * lower role gets the role of the invitation; for any other member, nothing changes.
 *
 * @throws ServiceError `not_found` if the invitation cannot be accepted any more; roll the transaction back
 */
export async function acceptInvitation(
  tx: Queries,
  invitation: InvitationRecord,
  { accountId, requestId, nowMs, endAccess }: AcceptanceOptions,
): Promise<Acceptance> {
  const { tenantId, invitationId, role, createdBy } = invitation;
  // The tenant may have begun to be deleted since the page was shown.
  if (!(await tenantStore.find(tx, tenantId))) throw notFound('invitation');
  const before = await membershipStore.findForUpdate(tx, tenantId, accountId);
  const awaitNothing = async () => {};
  if (before && rankOf(before.role) >= rankOf(role)) return { hasJoined: false, awaitEnd: awaitNothing };
  if (!(await invitationStore.accept(tx, invitation, { accountId, nowMs }))) throw notFound('invitation');
  if (before) await membershipStore.setRole(tx, before, role);
  else await membershipStore.create(tx, { tenantId, accountId, role, createdAtMs: nowMs, createdBy });
  const awaitEnd = before ? await endAccess(tx, tenantId, accountId) : awaitNothing;
  await auditStore.append(
    tx,
    {
      tenantId,
      actor: { type: 'account', id: accountId },
      action: before ? 'member.update' : 'member.create',
      resource: { type: 'account', id: accountId },
      outcome: 'success',
      requestId,
      detail: `Invitation accepted: the account has the role ${role}`,
      fields: { role, from: before?.role ?? null, invitation_id: invitationId, invited_by: createdBy },
    },
    nowMs,
  );
  return { hasJoined: true, awaitEnd };
}

interface AcceptanceOptions {
  readonly accountId: string;
  readonly requestId: string;
  readonly nowMs: number;
  readonly endAccess: EndAccessOfMember;
}

function rankOf(role: Role): number {
  return ROLES.indexOf(role);
}
