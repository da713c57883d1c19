import { hash } from 'node:crypto';
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { forUpdate, lockInOrder, type Queries, type ReadQueries, skipUsed } from '../../../database/index.ts';
import type { Row, Tables } from '../../../database/tables/index.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../../platform/clock.ts';
import type { ConsentKey } from '../consent/consent-store.ts';

/** A record as it is stored. Its id is a credential: only a hash of it is kept. */
export type OauthRecord = Row<'oauth_records'>;

/**
 * Used proofs and assertions are kept so much longer, or one could be used again. The library accepts a proof that is dated
 * 300 s ahead for 600 s, and remembers it for 300 s. The clock of the node that purges may be ahead of the others.
 */
const REPLAYS_KEPT_MS = 900_000;
/** Models whose records remember what was used: at the authorization server, and at the API. */
const USED_ONCE = ['ReplayDetection', 'Proof'];

/** When a grant expires that was ended: at every node. */
const ENDED_AT_MS = 0;

/** In the text of the statement, because the indexes of grants are partial. */
const GRANT = sql.lit('Grant');

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

/** Lists the refresh tokens of a grant that can still be used: at most one, unless two requests replace it at once. */
export function listUnused(tx: ReadQueries, grantId: string, nowMs: number): Promise<OauthRecord[]> {
  return live(tx, nowMs)
    .where('grant_id', '=', grantId)
    .where('model', '=', 'RefreshToken')
    .where('consumed_at', 'is', null)
    .execute();
}

/** Lists the refresh tokens of a grant that were used at this time or later. */
export function listUsedSince(tx: ReadQueries, grantId: string, sinceMs: number): Promise<OauthRecord[]> {
  return tx.db
    .selectFrom('oauth_records')
    .selectAll()
    .where('grant_id', '=', grantId)
    .where('model', '=', 'RefreshToken')
    .where('consumed_at', '>=', sinceMs)
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
 * Ends grants. Nothing of a grant can be used without it, so its records stay until `purgeGrants`: the work of an end does not
 * grow with the refresh tokens that were used. A token is stored only by a transaction that has locked its grant: those that
 * come later find that it has ended, and the tokens of those that came earlier are seen by the next statement.
 */
export async function endGrants(tx: Queries, filter: GrantFilter): Promise<void> {
  await lockGrants(tx, filter);
  const ended = { expires_at: ENDED_AT_MS };
  await tx.db.updateTable('oauth_records').set(ended).where(isLiveGrant(filter)).execute();
}

/** Locks grants until the transaction ends: it then sees the tokens that were stored for them, and later ones wait. */
export async function lockGrants(tx: Queries, filter: GrantFilter): Promise<void> {
  const grants = tx.db.selectFrom('oauth_records').select('record_hash').where(isLiveGrant(filter));
  await lockInOrder(tx, grants.orderBy('record_hash'));
}

function isLiveGrant({ tenantId, grantId, clientId, accountId }: GrantFilter) {
  return (row: RecordExpressions) =>
    row.and([
      row('model', '=', GRANT),
      row('expires_at', '>', ENDED_AT_MS),
      ...(tenantId === undefined ? [] : [row('tenant_id', '=', tenantId)]),
      ...(grantId === undefined ? [] : [row('record_hash', '=', recordHashOf('Grant', grantId))]),
      ...(clientId === undefined ? [] : [row('client_id', '=', clientId)]),
      ...(accountId === undefined ? [] : [row('account_id', '=', accountId)]),
    ]);
}

/**
 * Lists the live grants of a person to a client beyond a number, at most `limit`: those that expire first, so those that were not
 * redeemed or are not used.
 */
export async function listExcessGrants(
  { db }: ReadQueries,
  { tenantId, accountId, clientId }: ConsentKey,
  { most, limit, nowMs }: { most: number; limit: number; nowMs: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('oauth_records')
    .select('grant_id')
    .where('model', '=', GRANT)
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .where('expires_at', '>', nowMs)
    .orderBy('expires_at', 'desc')
    .offset(most)
    .limit(limit)
    .execute();
  return rows.flatMap(({ grant_id }) => grant_id ?? []);
}

/** Removes what a client has asked for, and what has not led to a grant. Its tokens are revoked, and expire within an hour. */
export async function removeOfClient(tx: Queries, clientId: string): Promise<void> {
  await tx.db
    .deleteFrom('oauth_records')
    .where('client_id', '=', clientId)
    .where('asked_by', 'is not', null)
    .execute();
}

/** Lists grants that have ended, or have expired at every node. */
export async function listEndedGrants(queries: ReadQueries, nowMs: number, limit: number): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('oauth_records')
    .select('grant_id')
    .where('model', '=', GRANT)
    .where('expires_at', '<=', nowMs - MAX_CLOCK_DIFFERENCE_MS)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.flatMap(({ grant_id }) => grant_id ?? []);
}

/** Deletes what belongs to grants that have ended. Returns how many rows: call again while it returns the limit. */
export function purgeOfGrants(tx: Queries, grantIds: readonly string[], limit: number): Promise<number> {
  return purgeUnused(tx, (records) =>
    records.where(tx.anyOf('grant_id', grantIds)).where('model', '<>', 'Grant').limit(limit),
  );
}

/** Deletes grants that have ended, after what belongs to them. Returns how many. */
export function purgeGrants(tx: Queries, grantIds: readonly string[]): Promise<number> {
  return purgeUnused(tx, (records) =>
    records.where(
      tx.anyOf(
        'record_hash',
        grantIds.map((grantId) => recordHashOf('Grant', grantId)),
      ),
    ),
  );
}

/** Deletes records that have expired, except grants. Returns how many: call again while it returns the limit. */
export function purge(tx: Queries, nowMs: number, limit: number): Promise<number> {
  return purgeUnused(tx, (records) =>
    records
      .where('expires_at', '<=', nowMs)
      .where('model', '<>', 'Grant')
      .where((row) =>
        row.or([row('model', 'not in', USED_ONCE), row('expires_at', '<=', nowMs - REPLAYS_KEPT_MS)]),
      )
      .orderBy('expires_at')
      .limit(limit),
  );
}

type RecordHashes = SelectQueryBuilder<Tables, 'oauth_records', { record_hash: string }>;

/** Deletes these records, except those that another transaction uses. Returns how many. */
async function purgeUnused(tx: Queries, choose: (records: RecordHashes) => RecordHashes): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('oauth_records')
    .where('record_hash', 'in', (select) =>
      skipUsed(tx, choose(select.selectFrom('oauth_records').select('record_hash'))),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

type RecordExpressions = ExpressionBuilder<Tables, 'oauth_records'>;

function live({ db }: ReadQueries, nowMs: number) {
  return db.selectFrom('oauth_records').selectAll().where('expires_at', '>', nowMs);
}
