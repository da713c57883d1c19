import type { Kysely } from 'kysely';

interface Schema {
  invitations: {
    tenant_id: string;
    invitation_id: string;
    email: string | null;
    accepted_at: number | null;
    revoked_at: number | null;
  };
}

/**
 * Safe beside an older version, which finds these addresses as before. Makes the addresses of open invitations comparable: a
 * spelling such as `JOSÉ@…` or one of full-width letters is replaced by the one under which accounts are found. What an older
 * node creates meanwhile keeps its spelling until the invitation expires.
 */
export async function spellInvitedEmails(db: Kysely<unknown>): Promise<void> {
  const schema = db as Kysely<Schema>;
  const rows = await schema
    .selectFrom('invitations')
    .select(['tenant_id', 'invitation_id', 'email'])
    .where('email', 'is not', null)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  for (const { tenant_id, invitation_id, email } of rows) {
    const key = (email ?? '').trim().normalize('NFKC').toLowerCase();
    const lower = (email ?? '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (lower === key) continue;
    await schema
      .updateTable('invitations')
      .set({ email: key })
      .where('tenant_id', '=', tenant_id)
      .where('invitation_id', '=', invitation_id)
      .execute();
  }
}
