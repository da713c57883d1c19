import type { TenantId } from '../../../platform/tenant-id.ts';
import type { AccountId } from '../account.ts';

/** How a person proved who they are. `sso` stands for the provider of a tenant. */
export type AuthenticationMethod = 'password' | 'totp' | 'recovery_code' | 'passkey' | 'sso';

/** A browser in which a person is signed in. */
export interface AccountSession {
  /** Public id, for lists. */
  readonly sessionId: string;
  /** SHA-256 of the cookie, in hex. */
  readonly sessionHash: string;
  readonly accountId: AccountId;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  /** When the person last proved who they are. */
  readonly authenticatedAtMs: number;
  readonly methods: readonly AuthenticationMethod[];
  /**
   * The only tenant that the session reaches: its provider has confirmed who the person is, and must not open other tenants
   * or the account itself. Null for a session that began with proofs of the person's own.
   */
  readonly tenantId: TenantId | null;
  readonly userAgent: string;
  readonly address: string;
  readonly expiresAtMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A session ends when it was not used for this long. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** A session ends this long after the sign-in, however often it is used. */
export const SESSION_LIFETIME_MS = 7 * 24 * HOUR_MS;
/** `seenAtMs` is written at most once in this time. */
export const SEEN_EVERY_MS = MINUTE_MS;
/** Dangerous acts need an authentication that is not older. */
const RECENT_MS = 10 * MINUTE_MS;

export function isLive(session: AccountSession, nowMs: number): boolean {
  return nowMs < session.expiresAtMs && nowMs - session.seenAtMs < SESSION_IDLE_MS;
}

/** Returns whether the person proved recently who they are. A time in the future, by another clock, is not recent. */
export function isRecent(
  { authenticatedAtMs }: Pick<AccountSession, 'authenticatedAtMs'>,
  nowMs: number,
): boolean {
  return Math.abs(nowMs - authenticatedAtMs) < RECENT_MS;
}
