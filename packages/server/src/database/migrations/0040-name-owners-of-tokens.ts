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
 * Safe beside an older version, which follows what it reads. What a token has set up belongs to the owners of that token from
 * now on, so that no chain of tokens has to be followed. A token without an owner still owns what it has set up.
 */
export async function nameOwnersOfTokens(db: Kysely<unknown>): Promise<void> {
  const schema = db as Kysely<Schema>;
  const rows = (
    await Promise.all(TABLES.map((table) => schema.selectFrom(table).selectAll().execute()))
  ).flat();
  const byKey = new Map<string, OwnerRow[]>();
  for (const row of rows) byKey.set(keyOf(row), [...(byKey.get(keyOf(row)) ?? []), row]);
  const ownersOf = (row: OwnerRow, seen: readonly string[] = []): OwnerRow[] => {
    const key = keyOf({ ...row, kind: 'token', holding_id: row.owner_id });
    const owners = byKey.get(key);
    if (!owners || seen.includes(key)) return [row];
    return owners.flatMap((owner) => ownersOf(owner, [...seen, key]));
  };
  for (const owners of byKey.values()) {
    if (!owners.some((row) => byKey.has(keyOf({ ...row, kind: 'token', holding_id: row.owner_id }))))
      continue;
    await replaceOwners(
      schema,
      owners,
      owners.flatMap((row) =>
        ownersOf(row).map(({ owner_id, via_client_id }) => ({ ...row, owner_id, via_client_id })),
      ),
    );
  }
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
  const different = new Map(after.map((row) => [`${row.owner_id} ${row.via_client_id ?? ''}`, row]));
  const [first, ...others] = different.values();
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

function keyOf({ tenant_id, kind, holding_id }: Pick<OwnerRow, 'tenant_id' | 'kind' | 'holding_id'>): string {
  return `${tenant_id} ${kind} ${holding_id}`;
}
