import type { Queries } from '../../../database/index.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import type { AccountId } from '../account.ts';
import * as challengeStore from '../challenges/challenge-store.ts';

/** Creates a link with which a person sets a new password, once. Only the hash of its secret is stored. */
export async function createResetLink(
  tx: Queries,
  wanted: { accountId: AccountId; pageUrl: string; nowMs: number; lifetimeMs: number },
): Promise<Secret> {
  const { accountId, pageUrl, nowMs, lifetimeMs } = wanted;
  const secret = challengeStore.mintSecret();
  const challenge = { secret, kind: 'password_reset', accountId, payload: {} } as const;
  await challengeStore.create(tx, { ...challenge, nowMs, lifetimeMs });
  return new Secret(`${pageUrl}?${new URLSearchParams({ token: secret.reveal() })}`);
}
