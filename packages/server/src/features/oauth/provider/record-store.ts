import { hash } from 'node:crypto';
import { forUpdate, type Queries, type ReadQueries, skipUsed } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';

/** A record as it is stored. Its id is a credential: only a hash of it is kept. */
export type OauthRecord = Row<'oauth_records'>;

/**
 * Used proofs and assertions are kept so much longer, or one could be used again. The library accepts a proof that is dated
 * 300 s ahead for 600 s, and remembers it for 300 s. The clock of the node that purges may be ahead of the others.
 */
const REPLAYS_KEPT_MS = 900_000;

/** Returns what a record is stored under. The model goes in, so that an id of one kind finds nothing of another kind. */
export function recordHashOf(model: string, id: string): string {
  return hash('sha256', `${model} ${id}`);
}

/** Stores a record, or replaces the content of an existing one. What has been consumed stays consumed. */
export async function save(tx: Queries, record: OauthRecord): Promise<void> {
  const { payload, expires_at, grant_id, uid, client_id, account_id, user_code_hash } = record;
  await tx.db
    .insertInto('oauth_records')
    .values(record)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'record_hash']).doUpdateSet({
        payload,
        expires_at,
        grant_id,
        uid,
        client_id,
        account_id,
        ...(user_code_hash === null ? {} : { user_code_hash }),
      }),
    )
    .execute();
}

/** Stores a record that must not exist yet. Returns whether it did not. */
export async function create(tx: Queries, record: OauthRecord): Promise<boolean> {
  const created = await tx.insertIgnoringConflicts('oauth_records', ['tenant_id', 'record_hash'], [record]);
  return created.length === 1;
}

/** Finds a record of any tenant: the id, which is a credential, determines the tenant. */
export function find(
  queries: ReadQueries,
  recordHash: string,
  nowMs: number,
): Promise<OauthRecord | undefined> {
  return live(queries, nowMs).where('record_hash', '=', recordHash).executeTakeFirst();
}

/** Finds a record and locks it until the transaction ends. */
export function findForUpdate(
  tx: Queries,
  recordHash: string,
  nowMs: number,
): Promise<OauthRecord | undefined> {
  return forUpdate(tx, live(tx, nowMs).where('record_hash', '=', recordHash)).executeTakeFirst();
}

export function findByUid(
  queries: ReadQueries,
  uid: string,
  nowMs: number,
): Promise<OauthRecord | undefined> {
  return live(queries, nowMs).where('uid', '=', uid).executeTakeFirst();
}

export function findByUserCode(
  queries: ReadQueries,
  userCodeHash: string,
  nowMs: number,
): Promise<OauthRecord | undefined> {
  return live(queries, nowMs).where('user_code_hash', '=', userCodeHash).executeTakeFirst();
}

/** Marks a record as consumed. Of any number of simultaneous calls, one returns true. */
export async function consume(tx: Queries, recordHash: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('oauth_records')
    .set({ consumed_at: nowMs })
    .where('record_hash', '=', recordHash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lets a record expire at this time, unless it expires later. */
export async function keepUntil(tx: Queries, recordHash: string, expiresAtMs: number): Promise<void> {
  await tx.db
    .updateTable('oauth_records')
    .set({ expires_at: expiresAtMs })
    .where('record_hash', '=', recordHash)
    .where('expires_at', '<', expiresAtMs)
    .execute();
}

/** Replaces the content of a record. */
export async function setPayload(tx: Queries, recordHash: string, payload: string): Promise<void> {
  await tx.db.updateTable('oauth_records').set({ payload }).where('record_hash', '=', recordHash).execute();
}

/** Removes a record that still counts under a limit of its requester. */
export async function removeExcess(tx: Queries, recordHash: string): Promise<void> {
  await tx.db
    .deleteFrom('oauth_records')
    .where('record_hash', '=', recordHash)
    .where('asked_by', 'is not', null)
    .execute();
}

export async function remove(tx: Queries, recordHash: string): Promise<void> {
  await tx.db.deleteFrom('oauth_records').where('record_hash', '=', recordHash).execute();
}

/** Lists the records of one model that belong to a grant. */
export function listOfGrant(tx: ReadQueries, model: string, grantId: string): Promise<OauthRecord[]> {
  return tx.db
    .selectFrom('oauth_records')
    .selectAll()
    .where('grant_id', '=', grantId)
    .where('model', '=', model)
    .execute();
}

/** Which grants to end. */
export interface GrantFilter {
  readonly tenantId?: string;
  readonly grantId?: string;
  readonly clientId?: string;
  readonly accountId?: string;
}

/**
 * Locks grants until the transaction ends, and returns their ids. A token is stored only by a transaction that has locked its
 * grant: those that come later find none, and the tokens of those that came earlier are seen by the next statement.
 */
export async function lockGrants(tx: Queries, filter: GrantFilter): Promise<string[]> {
  let query = tx.db
    .selectFrom('oauth_records')
    .select('grant_id')
    .where('model', '=', 'Grant')
    .where('grant_id', 'is not', null)
    // In one order, so that two transactions do not wait for each other.
    .orderBy('record_hash');
  if (filter.tenantId !== undefined) query = query.where('tenant_id', '=', filter.tenantId);
  if (filter.grantId !== undefined) query = query.where('grant_id', '=', filter.grantId);
  if (filter.clientId !== undefined) query = query.where('client_id', '=', filter.clientId);
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  const rows = await forUpdate(tx, query).execute();
  return rows.map(({ grant_id }) => grant_id ?? '');
}

/** Removes all records of grants, and the grants. */
export async function removeOfGrants(tx: Queries, grantIds: readonly string[]): Promise<void> {
  if (grantIds.length === 0) return;
  await tx.db.deleteFrom('oauth_records').where(tx.anyOf('oauth_records.grant_id', grantIds)).execute();
}

/** Removes what a client was issued without a grant, or has asked for. */
export async function removeOfClient(tx: Queries, clientId: string): Promise<void> {
  await tx.db.deleteFrom('oauth_records').where('client_id', '=', clientId).execute();
}

/** Deletes records that have expired. Returns how many: call again while it returns the limit. */
export async function purge(tx: Queries, nowMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('oauth_records')
    .where('record_hash', 'in', (select) =>
      skipUsed(
        tx,
        select
          .selectFrom('oauth_records')
          .select('record_hash')
          .where('expires_at', '<=', nowMs)
          .where((row) =>
            row.or([row('model', '<>', 'ReplayDetection'), row('expires_at', '<=', nowMs - REPLAYS_KEPT_MS)]),
          )
          .orderBy('expires_at')
          .limit(limit),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function live({ db }: ReadQueries, nowMs: number) {
  return db.selectFrom('oauth_records').selectAll().where('expires_at', '>', nowMs);
}
