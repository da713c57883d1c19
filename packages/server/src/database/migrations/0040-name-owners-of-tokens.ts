import type { Kysely } from 'kysely';

interface OwnerRow {
  tenant_id: string;
  kind: string;
  holding_id: string;
  owner_id: string;
  via_client_id: string | null;
  owned_since: number;
}

interface Schema {
  holdings: OwnerRow;
  earlier_owners: OwnerRow;
}

const TABLES = ['holdings', 'earlier_owners'] as const;

/**
 * Safe beside version 0.3.0, which neither reads nor writes these tables. What a token has set up belongs to the owners of that
 * token from now on, so that no chain of tokens has to be followed. A token without an owner still owns what it has set up.
 */
export async function nameOwnersOfTokens(db: Kysely<unknown>): Promise<void> {
  const schema = db as Kysely<Schema>;
  const rows = (
    await Promise.all(TABLES.map((table) => schema.selectFrom(table).selectAll().execute()))
  ).flat();
  const byKey = new Map<string, OwnerRow[]>();
  for (const row of rows) {
    const owners = byKey.get(keyOf(row));
    if (owners) owners.push(row);
    else byKey.set(keyOf(row), [row]);
  }
  for (const key of ownersFirst(byKey)) {
    const owners = byKey.get(key) ?? [];
    if (!owners.some((row) => byKey.has(tokenKeyOf(row)))) continue;
    const after = mergeOwners(
      owners.flatMap((row) =>
        followTokens(row, byKey).map(({ owner_id, via_client_id }) => ({ ...row, owner_id, via_client_id })),
      ),
    );
    await replaceOwners(schema, owners, after);
    // A chain through this one ends here from now on.
    byKey.set(key, after);
  }
}

/** Returns the keys so that each chain is followed one step at a time: to its end, 2,000 tokens took 102 s. */
function ownersFirst(byKey: ReadonlyMap<string, readonly OwnerRow[]>): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  for (const start of byKey.keys()) {
    const found = seen.has(start) ? [] : [start];
    seen.add(start);
    for (const key of found) {
      for (const next of (byKey.get(key) ?? []).map(tokenKeyOf)) {
        if (!byKey.has(next) || seen.has(next)) continue;
        seen.add(next);
        found.push(next);
      }
    }
    for (const key of found.reverse()) order.push(key);
  }
  return order;
}

/** Returns the rows with the owners at the end of all chains, or the row itself if tokens own each other in a circle. */
function followTokens(row: OwnerRow, byKey: ReadonlyMap<string, readonly OwnerRow[]>): OwnerRow[] {
  const last: OwnerRow[] = [];
  const seen = new Set<string>();
  for (let level: readonly OwnerRow[] = [row]; level.length > 0; ) {
    const next: OwnerRow[] = [];
    for (const one of level) {
      const key = tokenKeyOf(one);
      const owners = byKey.get(key);
      if (!owners) last.push(one);
      else if (!seen.has(key)) next.push(...owners);
      seen.add(key);
    }
    level = next;
  }
  return last.length > 0 ? last : [row];
}

/** Keeps the first row of each owner, with the latest time. */
function mergeOwners(rows: readonly OwnerRow[]): OwnerRow[] {
  const different = new Map<string, OwnerRow>();
  for (const row of rows) {
    const key = `${row.owner_id} ${row.via_client_id ?? ''}`;
    const owned_since = Math.max(row.owned_since, different.get(key)?.owned_since ?? 0);
    different.set(key, { ...row, owned_since });
  }
  return [...different.values()];
}

async function replaceOwners(
  schema: Kysely<Schema>,
  before: readonly OwnerRow[],
  after: readonly OwnerRow[],
): Promise<void> {
  for (const { tenant_id, kind, holding_id } of before) {
    for (const table of TABLES) {
      await schema
        .deleteFrom(table)
        .where('tenant_id', '=', tenant_id)
        .where('kind', '=', kind)
        .where('holding_id', '=', holding_id)
        .execute();
    }
  }
  const [first, ...others] = after;
  if (first)
    await schema
      .insertInto('holdings')
      .values({ ...first, via_client_id: first.via_client_id || null })
      .execute();
  for (const row of others) {
    await schema
      .insertInto('earlier_owners')
      .values({ ...row, via_client_id: row.via_client_id ?? '' })
      .execute();
  }
}

/** The token that owns something, as a holding. */
function tokenKeyOf({ tenant_id, owner_id }: OwnerRow): string {
  return keyOf({ tenant_id, kind: 'token', holding_id: owner_id });
}

function keyOf({ tenant_id, kind, holding_id }: Pick<OwnerRow, 'tenant_id' | 'kind' | 'holding_id'>): string {
  return `${tenant_id} ${kind} ${holding_id}`;
}
