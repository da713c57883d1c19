import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds columns that an older version leaves empty, so the address of an account that it
 * creates is unverified, and an invitation that it mails verifies none. An older version still lets unverified accounts join
 * further tenants: end it soon.
 *
 * The store does not record who has shown that an address is theirs, so an existing account is unverified: its maker may be
 * anyone. Except one without a password: a provider has created it or has verified its address, and then everything else
 * that could sign in to it has ended.
 */
export async function verifyEmails(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64 } = columnTypes(engine);
  await db.schema.alterTable('accounts').addColumn('email_verified_at', int64).execute();
  await db.schema.alterTable('invitations').addColumn('proof_hash', text).execute();
  await sql`
    update accounts set email_verified_at = created_at
    where password_hash is null
      and not exists (select 1 from account_passkeys where account_passkeys.account_id = accounts.account_id)
  `.execute(db);
}
