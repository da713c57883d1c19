import type { ReadQueries } from '../../../database/index.ts';
import { hashCredential } from '../../../platform/crypto/credentials.ts';
import { challengeStore } from '../../accounts/index.ts';
import type { InvitationRecord } from './invitation.ts';

/** What the proof in a mailed link is stored with. */
export interface MailedProof {
  readonly invitationId: string;
  readonly email: string;
}

/**
 * Returns the address that the proof in a link verifies: the invited one if the service has mailed the invitation, or the one
 * that a person has entered on its page. Returns undefined if it verifies none.
 */
export async function findProvenEmail(
  queries: ReadQueries,
  { invitation, proof }: { invitation: InvitationRecord; proof: string | null },
  nowMs: number,
): Promise<string | undefined> {
  if (proof === null) return undefined;
  // Of hashes of random values, a comparison reveals nothing.
  if (hashCredential(proof) === invitation.proofHash) return invitation.email ?? undefined;
  const wanted = { secret: proof, kind: 'invitation', nowMs } as const;
  const { payload } = (await challengeStore.find<MailedProof>(queries, wanted)) ?? {};
  return payload?.invitationId === invitation.invitationId ? payload.email : undefined;
}
