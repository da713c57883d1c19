import { hash, randomBytes } from 'node:crypto';
import {
  type Database,
  listExcess,
  type Queries,
  type ReadQueries,
  type Requester,
} from '../../../database/index.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import type { AccountId } from '../account.ts';

/** What a person has begun and must complete soon. */
export type ChallengeKind =
  /** The password was right, and the second factor is missing. The secret is in the cookie of the browser. */
  | 'login'
  /** The secret is in a mail. */
  | 'password_reset'
  /** The same, for someone who continues with an invitation. */
  | 'invitation'
  | 'passkey_registration'
  | 'passkey_login'
  | 'sign_on';

export interface Challenge<Payload = unknown> {
  readonly accountId: AccountId | null;
  readonly payload: Payload;
  readonly createdAtMs: number;
}

/** 192 bits. */
const SECRET_BYTES = 24;

/** Creates the secret of a challenge or link. It has no `svc_` prefix: it is not a credential of the API. */
export function mintSecret(): Secret {
  return new Secret(randomBytes(SECRET_BYTES).toString('base64url'));
}

/** Returns the SHA-256 in hex. It needs no salt because 192 random bits cannot be guessed. */
function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Stores a challenge under the hash of its secret. If someone asked for it who may have a few, call `removeExcess` after. */
export async function create(
  tx: Queries,
  challenge: {
    secret: Secret;
    kind: ChallengeKind;
    accountId: AccountId | null;
    payload: unknown;
    nowMs: number;
    lifetimeMs: number;
    requester?: Requester;
  },
): Promise<void> {
  await tx.db
    .insertInto('account_challenges')
    .values({
      challenge_hash: hashSecret(challenge.secret.reveal()),
      kind: challenge.kind,
      account_id: challenge.accountId,
      payload: JSON.stringify(challenge.payload),
      created_at: challenge.nowMs,
      expires_at: challenge.nowMs + challenge.lifetimeMs,
      asked_by: challenge.requester?.key ?? null,
    })
    .execute();
}

/** Removes the oldest challenges if one requester, or all networks together, have too many. */
export async function removeExcess(database: Database, requester: Requester): Promise<void> {
  for (const hash of await listExcess(database.read, 'account_challenges', requester)) {
    await database.transaction((tx) =>
      tx.db.deleteFrom('account_challenges').where('challenge_hash', '=', hash).execute(),
    );
  }
}

/** Finds a challenge without using it up. */
export async function find<Payload>(
  { db }: ReadQueries,
  { secret, kind, nowMs }: { secret: string; kind: ChallengeKind; nowMs: number },
): Promise<Challenge<Payload> | undefined> {
  const row = await db
    .selectFrom('account_challenges')
    .select(['account_id', 'payload', 'created_at'])
    .where('challenge_hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row && toChallenge(row);
}

/** Uses a challenge up: of two simultaneous calls, one gets it. Unknown, expired and used challenges look the same. */
export async function take<Payload>(
  tx: Queries,
  { secret, kind, nowMs }: { secret: string; kind: ChallengeKind; nowMs: number },
): Promise<Challenge<Payload> | undefined> {
  const row = await tx.db
    .deleteFrom('account_challenges')
    .where('challenge_hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', nowMs)
    .returning(['account_id', 'payload', 'created_at'])
    .executeTakeFirst();
  return row && toChallenge(row);
}

/** Removes all challenges of an account: its password or second factors have changed, or it ends. */
export async function removeOf(tx: Queries, accountId: AccountId): Promise<void> {
  await tx.db.deleteFrom('account_challenges').where('account_id', '=', accountId).execute();
}

export async function purge(tx: Queries, nowMs: number): Promise<void> {
  await tx.db.deleteFrom('account_challenges').where('expires_at', '<=', nowMs).execute();
}

function toChallenge<Payload>(row: {
  account_id: string | null;
  payload: string;
  created_at: number;
}): Challenge<Payload> {
  return {
    accountId: row.account_id as AccountId | null,
    payload: JSON.parse(row.payload) as Payload,
    createdAtMs: row.created_at,
  };
}
