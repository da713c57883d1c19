import type { Role } from '@tps/contract';
import { forUpdate, type Queries, type ReadQueries, skipUsed } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toEmailKey } from '../../accounts/index.ts';
import type { InvitationRecord } from './invitation.ts';

export async function create(tx: Queries, invitation: InvitationRecord, tokenHash: string): Promise<void> {
  const row: Row<'invitations'> = {
    tenant_id: invitation.tenantId,
    invitation_id: invitation.invitationId,
    token_hash: tokenHash,
    proof_hash: invitation.proofHash,
    email: invitation.email,
    role: invitation.role,
    created_at: invitation.createdAtMs,
    created_by: invitation.createdBy,
    expires_at: invitation.expiresAtMs,
    accepted_at: invitation.acceptedAtMs,
    accepted_by: invitation.acceptedBy,
    revoked_at: invitation.revokedAtMs,
  };
  await tx.db.insertInto('invitations').values(row).execute();
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  invitationId: string,
): Promise<InvitationRecord | undefined> {
  const row = await byId(queries, tenantId, invitationId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds an invitation and locks it against other changes until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  invitationId: string,
): Promise<InvitationRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, invitationId)).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds the pending invitation whose link has this secret. Any other one looks like an unknown one. */
export async function findPending(
  { db }: ReadQueries,
  tokenHash: string,
  nowMs: number,
): Promise<InvitationRecord | undefined> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row && toRecord(row);
}

/** Uses an invitation up, if it is still pending: of two simultaneous calls, one returns true. */
export async function claim(
  tx: Queries,
  { tenantId, invitationId }: InvitationRecord,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('invitations')
    .set({ accepted_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where('invitation_id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function setAcceptedBy(
  tx: Queries,
  { tenantId, invitationId }: InvitationRecord,
  accountId: string,
): Promise<void> {
  await tx.db
    .updateTable('invitations')
    .set({ accepted_by: accountId })
    .where('tenant_id', '=', tenantId)
    .where('invitation_id', '=', invitationId)
    .execute();
}

/** Newest first. */
export async function list(
  { db }: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
): Promise<InvitationRecord[]> {
  let query = db
    .selectFrom('invitations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('invitation_id', 'desc')
    .limit(limit);
  if (after !== undefined) query = query.where('invitation_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

export async function revoke(
  tx: Queries,
  { tenantId, invitationId }: InvitationRecord,
  nowMs: number,
): Promise<void> {
  await tx.db
    .updateTable('invitations')
    .set({ revoked_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where('invitation_id', '=', invitationId)
    .execute();
}

/** Removes the e-mail addresses from the invitations that an account has accepted. */
export async function forgetAddresses(tx: Queries, accountId: string): Promise<void> {
  await tx.db.updateTable('invitations').set({ email: null }).where('accepted_by', '=', accountId).execute();
}

/** Returns those of these invitations that can be accepted at this time. */
export async function listPending(
  queries: ReadQueries,
  tenantId: TenantId,
  { ids, atMs }: { ids: readonly string[]; atMs: number },
): Promise<InvitationRecord[]> {
  const rows = await queries.db
    .selectFrom('invitations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('invitation_id', ids))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', atMs)
    .execute();
  return rows.map(toRecord);
}

/** Returns the ids of the invitations to an address, however it was spelled, that can be accepted at this time. */
export async function listPendingOf(
  { db }: ReadQueries,
  tenantId: TenantId,
  { email, atMs }: { email: string; atMs: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('invitations')
    .select('invitation_id')
    .where('tenant_id', '=', tenantId)
    .where(({ fn }) => fn('lower', ['email']), '=', toEmailKey(email))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', atMs)
    .execute();
  return rows.map(({ invitation_id }) => invitation_id);
}

/** Revokes those of these invitations that were neither accepted nor revoked, and returns them. */
export async function revokePending(
  tx: Queries,
  tenantId: TenantId,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<InvitationRecord[]> {
  const rows = await tx.db
    .updateTable('invitations')
    .set({ revoked_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('invitation_id', ids))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returningAll()
    .execute();
  return rows.map(toRecord);
}

/** Deletes invitations that ended before this time, accepted or not: they name the addresses of people. */
export async function purge(tx: Queries, beforeMs: number): Promise<void> {
  await tx.db
    .deleteFrom('invitations')
    .where('invitation_id', 'in', (select) => {
      const invitations = select.selectFrom('invitations').select('invitation_id');
      return skipUsed(tx, invitations.where('expires_at', '<', beforeMs));
    })
    .execute();
}

function byId({ db }: ReadQueries, tenantId: TenantId, invitationId: string) {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('invitation_id', '=', invitationId);
}

function toRecord(row: Row<'invitations'>): InvitationRecord {
  return {
    tenantId: row.tenant_id as TenantId,
    invitationId: row.invitation_id,
    email: row.email,
    proofHash: row.proof_hash,
    role: row.role as Role,
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    expiresAtMs: row.expires_at,
    acceptedAtMs: row.accepted_at,
    acceptedBy: row.accepted_by,
    revokedAtMs: row.revoked_at,
  };
}
