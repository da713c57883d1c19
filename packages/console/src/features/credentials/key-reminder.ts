import type { Token } from '@tps/client';

const DAY_MS = 86_400_000;
/** A key that ends within this time needs a successor now. */
const ENDS_SOON_DAYS = 14;
/** A key that was not used for this long is probably not needed. */
const UNUSED_DAYS = 90;
/** A key that is older should be rolled: it may have been copied to places that are forgotten. */
const OLD_DAYS = 365;

/** Returns what a person should do about an active key; undefined if nothing. */
export function reminderOf(
  token: Pick<Token, 'status' | 'created_at' | 'expires_at' | 'last_used_at'>,
  nowMs: number,
): string | undefined {
  if (token.status !== 'active') return undefined;
  const daysSince = (time: string) => Math.floor((nowMs - Date.parse(time)) / DAY_MS);
  if (token.expires_at !== null) {
    const left = -daysSince(token.expires_at);
    if (left <= ENDS_SOON_DAYS) return left <= 1 ? 'Expires within a day' : `Expires in ${left} days`;
  }
  const unused = daysSince(token.last_used_at ?? token.created_at);
  if (unused >= UNUSED_DAYS) {
    return token.last_used_at === null ? `Never used in ${unused} days` : `Not used for ${unused} days`;
  }
  const age = daysSince(token.created_at);
  return age >= OLD_DAYS ? `${age} days old: roll it` : undefined;
}
