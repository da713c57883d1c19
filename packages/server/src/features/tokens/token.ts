import type { BoundCredential, CreatedToken, Environment, Scope, Token } from '@tps/contract';
import type { Secret } from '../../platform/crypto/secret.ts';
import type { Caller, IssuedTo } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';
import { tokenStatus } from '../authority/index.ts';

/** Metadata of a credential. Only its holder knows the credential itself. */
export interface TokenRecord {
  readonly tokenId: string;
  /** Null for an operator credential. */
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly environment: Environment;
  readonly hint: string;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** The device that a device credential is bound to; null for other credentials. */
  readonly deviceId: string | null;
  /** How many devices an enrolment secret registers; null for other credentials. */
  readonly maxUses: number | null;
  readonly uses: number | null;
  /** What an access token of OAuth rests on; null for other credentials. */
  readonly issued: IssuedTo | null;
}

/** A token with its credential, which cannot be shown again. */
export interface MintedToken {
  readonly record: TokenRecord;
  readonly credential: Secret;
  /** See `digestOfToken`: the audit entry of the creation has it. */
  readonly digest: string;
}

/** Returns the purpose that a credential is bound to; undefined for a token. */
export function bindingOf({
  deviceId,
  maxUses,
}: Pick<TokenRecord, 'deviceId' | 'maxUses'>): BoundCredential | undefined {
  if (deviceId !== null) return 'device';
  return maxUses === null ? undefined : 'enrolment';
}

/**
 * Lists the scopes that a caller asks for but does not hold. No scope includes another: not even `jobs:write`
 * `jobs:review`.
 */
function missingScopes(held: readonly Scope[], wanted: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !held.includes(scope));
}

/** Returns the earlier of two times of expiry. Null is later than any time: it never comes. */
export function earlierExpiry(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/**
 * Returns when the authority of a caller ends; null if it does not. An access token of our own clients, such as the console, stands
 * for a person who can get the next one: what the person creates does not end with it.
 */
export function endOfAuthority({ expiresAtMs, issued }: Caller): number | null {
  return (issued?.authenticatedAtMs ?? null) === null ? expiresAtMs : null;
}

/** What a caller asks for beyond its own authority. */
export interface Escalation {
  readonly message: string;
  /** The same facts for the audit trail. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A token can neither hold more than the token that creates it nor expire after it. Undefined if it would not. */
export function findEscalation(
  caller: Caller,
  { scopes, expiresAtMs }: { readonly scopes: readonly Scope[]; readonly expiresAtMs: number | null },
): Escalation | undefined {
  const missing = missingScopes(caller.scopes, scopes);
  if (missing.length > 0) {
    return {
      message: `The caller does not hold the scope ${missing.join(', ')}`,
      fields: { scopes, missing },
    };
  }
  const latestMs = endOfAuthority(caller);
  if (expiresAtMs === null || latestMs === null || expiresAtMs <= latestMs) return undefined;
  const latest = toTimestamp(latestMs);
  return {
    message: `expires_at must not be after ${latest}, when the credential of the caller expires`,
    fields: { expires_at: toTimestamp(expiresAtMs), latest },
  };
}

export function toToken(record: TokenRecord, nowMs: number): Token {
  return {
    token_id: record.tokenId,
    tenant_id: record.tenantId,
    name: record.name,
    scopes: [...record.scopes],
    environment: record.environment,
    ...(record.deviceId === null ? {} : { device_id: record.deviceId }),
    hint: record.hint,
    created_at: toTimestamp(record.createdAtMs),
    created_by: record.createdBy,
    expires_at: toOptionalTimestamp(record.expiresAtMs),
    last_used_at: toOptionalTimestamp(record.lastUsedAtMs),
    revoked_at: toOptionalTimestamp(record.revokedAtMs),
    status: tokenStatus(record, nowMs),
  };
}

/** The only place where a raw credential becomes part of a response. */
export function toCreatedToken({ record, credential }: MintedToken, nowMs: number): CreatedToken {
  return { ...toToken(record, nowMs), token: String(credential.reveal()) };
}
