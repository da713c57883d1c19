import type { ReadQueries } from '../../../database/index.ts';

/** Returns the name of the person who invites; undefined for a token or the command line. */
export async function nameOfInviter({ db }: ReadQueries, createdBy: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('name')
    .where('account_id', '=', createdBy)
    .executeTakeFirst();
  return row?.name;
}
