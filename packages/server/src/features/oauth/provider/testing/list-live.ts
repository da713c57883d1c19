import type { ReadQueries } from '../../../../database/index.ts';

/** Lists what a client can still use of its grants. What belongs to an ended grant waits for the upkeep. */
export function listLive({ db }: Pick<ReadQueries, 'db'>, clientId: string) {
  return db
    .selectFrom('oauth_records')
    .select(['model', 'account_id'])
    .where('client_id', '=', clientId)
    .where('consumed_at', 'is', null)
    .where('grant_id', 'in', (select) =>
      select
        .selectFrom('oauth_records')
        .select('grant_id')
        .where('model', '=', 'Grant')
        .where('expires_at', '>', Date.now()),
    )
    .execute();
}
