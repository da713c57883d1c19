import { type RawBuilder, sql } from 'kysely';
import { networkOf } from '../platform/rate-limit/peer-key.ts';
import type { ReadQueries } from './database.ts';

/** What strangers in all networks together may have in one table. */
const MAX_OF_STRANGERS = 2000;
/** Many people can be in one network. */
const MAX_OF_NETWORK = 200;
/** More than a person has browsers and tabs. */
const MAX_OF_PERSON = 20;
/** Many people can use one program. */
const MAX_OF_CLIENT = 1000;
const NETWORK = 'network ';

/** The one who has asked for a row that must be stored before a request is complete, and how many such rows they may have. */
export interface Asker {
  readonly key: string;
  readonly most: number;
}

/** Anyone at an address. Addresses are cheap, so what counts is the network: see `networkOf`. */
export function askingStranger(peer: string): Asker {
  return { key: `${NETWORK}${networkOf(peer)}`, most: MAX_OF_NETWORK };
}

/** A person who has proved who they are. */
export function askingPerson(kind: string, accountId: string): Asker {
  return { key: `${kind} of ${accountId}`, most: MAX_OF_PERSON };
}

/** A client that has proved who it is. */
export function askingClient(kind: string, clientId: string): Asker {
  return { key: `${kind} of ${clientId}`, most: MAX_OF_CLIENT };
}

/** The tables with such rows, and the column that identifies one. */
const KEYS = { oauth_records: 'record_hash', account_challenges: 'challenge_hash' } as const;

/**
 * Returns which rows to delete after one of this asker was stored: the oldest of those that exceed the asker's share. If
 * strangers have too many together, the oldest of the network that has the most: as long as an attacker does not have
 * addresses in as many networks as there is room for rows, no one else's row is deleted.
 *
 * Delete each of them in a separate transaction: two that delete several rows could wait for each other.
 */
export async function listExcess(
  queries: ReadQueries,
  table: keyof typeof KEYS,
  { key, most }: Asker,
): Promise<string[]> {
  const rowsOf = async (asker: string, page: RawBuilder<unknown>): Promise<string[]> => {
    const query = sql<{ id: string }>`select ${sql.ref(KEYS[table])} as id from ${sql.table(table)}
      where asked_by = ${asker} order by ${page}`;
    return (await query.execute(queries.db as never)).rows.map(({ id }) => id);
  };
  const own = await rowsOf(key, sql`created_at desc limit ${MAX_OF_NETWORK} offset ${most}`);
  if (own.length > 0 || !key.startsWith(NETWORK)) return own;
  const { rows } = await sql<{ asked_by: string; total: number }>`
    select asked_by, cast(sum(count(*)) over () as integer) as total from ${sql.table(table)}
    where asked_by like ${`${NETWORK}%`}
    group by asked_by order by count(*) desc, min(created_at) limit 1`.execute(queries.db as never);
  const [{ asked_by: heaviest, total } = { asked_by: '', total: 0 }] = rows;
  if (total <= MAX_OF_STRANGERS) return [];
  return rowsOf(heaviest, sql`created_at limit ${total - MAX_OF_STRANGERS}`);
}
