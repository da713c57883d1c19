import type { Invitation, InvitationStatus, Role } from '@tps/contract';
import type { Secret } from '../../../platform/crypto/secret.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';

/** An invitation. Only its link has the secret. */
export interface InvitationRecord {
  readonly tenantId: TenantId;
  readonly invitationId: string;
  /** The only address that may accept; null for any. */
  readonly email: string | null;
  /** Hash of the secret that only the mailed link has; null if the invitation names no address. */
  readonly proofHash: string | null;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly expiresAtMs: number;
  readonly acceptedAtMs: number | null;
  readonly acceptedBy: string | null;
  readonly revokedAtMs: number | null;
}

/** An invitation with the secrets of its links, which cannot be shown again. */
export interface MintedInvitation {
  readonly record: InvitationRecord;
  readonly secret: Secret;
  /**
   * Only for the mail to the invited address: who has it can read that mail. The inviter sees the link without it, and could
   * otherwise verify the address of anyone.
   */
  readonly proof: Secret | undefined;
}

function invitationStatus(
  { acceptedAtMs, revokedAtMs, expiresAtMs }: InvitationRecord,
  nowMs: number,
): InvitationStatus {
  if (acceptedAtMs !== null) return 'accepted';
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs <= nowMs ? 'expired' : 'pending';
}

/** The page on which a person accepts. */
export function toInvitationLink(authUrl: string, secret: Secret, proof?: Secret): string {
  const query = { token: secret.reveal(), ...(proof && { proof: proof.reveal() }) };
  return `${authUrl}/invitation?${new URLSearchParams(query)}`;
}

export function toInvitation(record: InvitationRecord, nowMs: number): Invitation {
  return {
    invitation_id: record.invitationId,
    tenant_id: record.tenantId,
    email: record.email,
    role: record.role,
    created_at: toTimestamp(record.createdAtMs),
    created_by: record.createdBy,
    expires_at: toTimestamp(record.expiresAtMs),
    accepted_at: toOptionalTimestamp(record.acceptedAtMs),
    accepted_by: record.acceptedBy,
    revoked_at: toOptionalTimestamp(record.revokedAtMs),
    status: invitationStatus(record, nowMs),
  };
}
