import { type RawBuilder, sql } from 'kysely';
import { networkOf } from '../platform/rate-limit/peer-key.ts';
import type { ReadQueries } from './database.ts';

/** The rows that callers in all networks together may have in one table without signing in. */
const MAX_OF_NETWORKS = 2000;
/** Many people can be in one network. */
const MAX_OF_NETWORK = 200;
/** More than the browsers and tabs of a person. */
const MAX_OF_PERSON = 20;
/** Many people can use one program. */
const MAX_OF_CLIENT = 1000;
const NETWORK = 'network ';

/** The requester of a row that must be stored before a request is complete, and how many such rows the requester may have. */
export interface Requester {
  readonly key: string;
  readonly most: number;
}

/** Returns the requester for a request without a sign-in. Addresses are cheap, so its network counts: see `networkOf`. */
export function networkRequester(peer: string): Requester {
  return { key: `${NETWORK}${networkOf(peer)}`, most: MAX_OF_NETWORK };
}

/** Returns the requester for a request of an authenticated person. */
export function personRequester(kind: string, accountId: string): Requester {
  return { key: `${kind} of ${accountId}`, most: MAX_OF_PERSON };
}

/** Returns the requester for a request of an authenticated client. */
export function clientRequester(kind: string, clientId: string): Requester {
  return { key: `${kind} of ${clientId}`, most: MAX_OF_CLIENT };
}

/** The tables with such rows, and the column that identifies a row. */
const KEYS = { oauth_records: 'record_hash', account_challenges: 'challenge_hash' } as const;

/**
 * Returns which rows to delete after one of this requester was stored: the oldest ones beyond the limit of the requester. If
 * all networks together have too many, the oldest rows of the network that has the most. An attacker therefore does not
 * delete rows of others, unless they have addresses in as many networks as there may be rows.
 *
 * Delete each row in a separate transaction: two transactions that delete several rows could wait for each other.
 */
export async function listExcess(
  queries: ReadQueries,
  table: keyof typeof KEYS,
  { key, most }: Requester,
): Promise<string[]> {
  const rowsOf = async (requester: string, page: RawBuilder<unknown>): Promise<string[]> => {
    const query = sql<{ id: string }>`select ${sql.ref(KEYS[table])} as id from ${sql.table(table)}
      where asked_by = ${requester} order by ${page}`;
    return (await query.execute(queries.db as never)).rows.map(({ id }) => id);
  };
  const own = await rowsOf(key, sql`created_at desc limit ${MAX_OF_NETWORK} offset ${most}`);
  if (own.length > 0 || !key.startsWith(NETWORK)) return own;
  const { rows } = await sql<{ asked_by: string; total: number }>`
    select asked_by, cast(sum(count(*)) over () as integer) as total from ${sql.table(table)}
    where asked_by like ${`${NETWORK}%`}
    group by asked_by order by count(*) desc, min(created_at) limit 1`.execute(queries.db as never);
  const [{ asked_by: heaviest, total } = { asked_by: '', total: 0 }] = rows;
  if (total <= MAX_OF_NETWORKS) return [];
  return rowsOf(heaviest, sql`created_at limit ${total - MAX_OF_NETWORKS}`);
}
