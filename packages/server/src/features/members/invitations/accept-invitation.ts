import { ROLES, type Role } from '@tps/contract';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { hashCredential } from '../../../platform/crypto/credentials.ts';
import { notFound } from '../../../platform/service-error.ts';
import { auditStore } from '../../audit/index.ts';
import { lockTenant } from '../../authority/index.ts';
import { type Tenant, tenantStore } from '../../tenants/index.ts';
import type { EndAccessOfMember } from '../member-access.ts';
import * as membershipStore from '../membership-store.ts';
import type { InvitationRecord } from './invitation.ts';
import * as invitationStore from './invitation-store.ts';
import { findProvenEmail } from './proven-email.ts';

/** An invitation that can be accepted now. */
export interface OpenInvitation {
  readonly invitation: InvitationRecord;
  readonly tenant: Tenant;
  /** The only address that can accept with this link; null for any. */
  readonly email: string | null;
  /** Whether the link is one in a mail, so that its holder has proved that the address is theirs. */
  readonly provesEmail: boolean;
}

/** What the link of an invitation contains. */
export interface LinkSecrets {
  readonly secret: string;
  /** Only the mailed link has it. */
  readonly proof: string | null;
}

/** Finds the invitation of a link. One that is unknown, expired, used, revoked, or of a deleted tenant is not found. */
export async function findOpenInvitation(
  queries: ReadQueries,
  { secret, proof }: LinkSecrets,
  nowMs: number,
): Promise<OpenInvitation | undefined> {
  const invitation = await invitationStore.findPending(queries, hashCredential(secret), nowMs);
  const tenant = invitation && (await tenantStore.find(queries, invitation.tenantId));
  if (!tenant) return undefined;
  const proven = await findProvenEmail(queries, { invitation, proof }, nowMs);
  return { invitation, tenant, email: proven ?? invitation.email, provesEmail: proven !== undefined };
}

/**
 * Uses an invitation up. Of several simultaneous transactions, one succeeds; the others must be rolled back.
 * @throws ServiceError `not_found` if it cannot be accepted any more
 */
export async function claimInvitation(
  tx: Queries,
  invitation: InvitationRecord,
  nowMs: number,
): Promise<void> {
  // The tenant may have begun to be deleted since the page was shown.
  const isOpen = (await tenantStore.find(tx, invitation.tenantId)) !== undefined;
  if (!isOpen || !(await invitationStore.claim(tx, invitation, nowMs))) throw notFound('invitation');
}

interface NewMember {
  readonly accountId: string;
  /** The role that the account has had so far, if it is a member. */
  readonly from: Role | null;
  readonly requestId: string;
  readonly nowMs: number;
}

/** Makes an account a member by an invitation that the transaction has claimed. */
export async function addMember(
  tx: Queries,
  invitation: InvitationRecord,
  { accountId, from, requestId, nowMs }: NewMember,
): Promise<void> {
  const { tenantId, invitationId, role, createdBy } = invitation;
  await invitationStore.setAcceptedBy(tx, invitation, accountId);
  if (from !== null) await membershipStore.setRole(tx, { tenantId, accountId }, role);
  else await membershipStore.create(tx, { tenantId, accountId, role, createdAtMs: nowMs, createdBy });
  await auditStore.append(
    tx,
    {
      tenantId,
      actor: { type: 'account', id: accountId },
      action: from === null ? 'member.create' : 'member.update',
      resource: { type: 'account', id: accountId },
      outcome: 'success',
      requestId,
      detail: `Invitation accepted: the account has the role ${role}`,
      fields: { role, from, invitation_id: invitationId, invited_by: createdBy },
    },
    nowMs,
  );
}

/** What an invitation has changed for an existing account. */
export interface Acceptance {
  /** Whether the account has joined or got a greater role. If not, the invitation stays pending. */
  readonly hasJoined: boolean;
  /** Call it after the commit: resolves when the access of the earlier role can be used no more. */
  readonly awaitEnd: () => Promise<void>;
}

/**
 * Makes an existing account a member. A member with a lower role gets the role of the invitation; for any other member,
 * nothing changes.
 *
 * @throws ServiceError `not_found` if the invitation cannot be accepted any more
 */
export async function acceptInvitation(
  tx: Queries,
  invitation: InvitationRecord,
  parts: Omit<NewMember, 'from' | 'nowMs'> & { clock: Clock; endAccess: EndAccessOfMember },
): Promise<Acceptance> {
  const { tenantId, role } = invitation;
  const { accountId, requestId, clock, endAccess } = parts;
  await lockTenant(tx, tenantId);
  // Read under the lock: a removal that this waited for has left an invitation that had expired as it was.
  const nowMs = clock.now();
  const before = await membershipStore.findForUpdate(tx, tenantId, accountId);
  const awaitNothing = async () => {};
  if (before && rankOf(before.role) >= rankOf(role)) return { hasJoined: false, awaitEnd: awaitNothing };
  await claimInvitation(tx, invitation, nowMs);
  const awaitEnd = before ? await endAccess(tx, before, { isLoss: false }) : awaitNothing;
  await addMember(tx, invitation, { accountId, requestId, nowMs, from: before?.role ?? null });
  return { hasJoined: true, awaitEnd };
}

function rankOf(role: Role): number {
  return ROLES.indexOf(role);
}
