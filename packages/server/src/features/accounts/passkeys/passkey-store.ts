import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { AccountId } from '../account.ts';

/** A passkey: the public half of a key pair that an authenticator holds (WebAuthn, section 4). */
export interface Passkey {
  /** Base64url. Unique among all accounts. */
  readonly credentialId: string;
  readonly accountId: AccountId;
  /** COSE key. */
  readonly publicKey: Uint8Array;
  /** How often the authenticator has signed; 0 for one that does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** Given by its owner. */
  readonly name: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

/** Stores a passkey. Returns false if the credential is registered already, for any account. */
export async function create(tx: Queries, passkey: Passkey): Promise<boolean> {
  const row: Row<'account_passkeys'> = {
    credential_id: passkey.credentialId,
    account_id: passkey.accountId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: JSON.stringify(passkey.transports),
    name: passkey.name,
    created_at: passkey.createdAtMs,
    used_at: passkey.usedAtMs,
  };
  return (await tx.insertIgnoringConflicts('account_passkeys', ['credential_id'], [row])).length > 0;
}

export async function find({ db }: ReadQueries, credentialId: string): Promise<Passkey | undefined> {
  const row = await db
    .selectFrom('account_passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row && toPasskey(row);
}

/** Lists the passkeys of an account, oldest first. */
export async function list({ db }: ReadQueries, accountId: AccountId): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('account_passkeys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute();
  return rows.map(toPasskey);
}

/**
 * Records that a passkey was used. Returns false if it was removed, or if its counter did not grow: then two
 * authenticators have the key, or an answer was replayed (WebAuthn, section 6.1.1).
 */
export async function use(
  tx: Queries,
  { credentialId, counter }: Pick<Passkey, 'credentialId' | 'counter'>,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('account_passkeys')
    .set({ counter, used_at: nowMs })
    .where('credential_id', '=', credentialId)
    // An authenticator that does not count reports 0 each time.
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a passkey of an account and returns it. */
export async function remove(
  tx: Queries,
  accountId: AccountId,
  credentialId: string,
): Promise<Passkey | undefined> {
  const row = await tx.db
    .deleteFrom('account_passkeys')
    .where('account_id', '=', accountId)
    .where('credential_id', '=', credentialId)
    .returningAll()
    .executeTakeFirst();
  return row && toPasskey(row);
}

/** Removes the passkeys of an account. Returns how many. */
export async function removeAll(tx: Queries, accountId: AccountId): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('account_passkeys')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function toPasskey(row: Row<'account_passkeys'>): Passkey {
  return {
    credentialId: row.credential_id,
    accountId: row.account_id as AccountId,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
    name: row.name,
    createdAtMs: row.created_at,
    usedAtMs: row.used_at,
  };
}
