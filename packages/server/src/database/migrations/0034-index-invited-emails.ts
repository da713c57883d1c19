import { type Kysely, sql } from 'kysely';

/** Safe beside an older version: it adds an index, which no query names. */
export async function indexInvitedEmails(db: Kysely<unknown>): Promise<void> {
  await sql`create index invitations_by_email on invitations (lower(email))`.execute(db);
}
