import type { TokenStatus } from '@tps/contract';
import type { AdmittedRequest, Caller } from '../../platform/http/route.ts';
import { invalidCredentials, notFound, ServiceError } from '../../platform/service-error.ts';

/** The credential of a request, and the tenant that the request is about. */
export type Requester = Pick<AdmittedRequest, 'tenantId' | 'caller'>;

/** What a request's authority rests on, as it is stored now. */
export interface StoredAuthority {
  readonly caller: Caller;
  readonly revokedAtMs: number | null;
  /** Null unless the tenant of the request is being deleted. */
  readonly tenantDeleteAfterMs: number | null;
}

/** A scheduled end is an expiry, even if a roll has set it: only DELETE revokes a token. */
export function tokenStatus(
  token: { readonly revokedAtMs: number | null; readonly expiresAtMs: number | null },
  nowMs: number,
): TokenStatus {
  if (token.revokedAtMs !== null) return 'revoked';
  return token.expiresAtMs !== null && token.expiresAtMs <= nowMs ? 'expired' : 'active';
}

/** Returns why an admitted request may change nothing any more; undefined while it may. */
export function refusalOf(
  { caller }: Requester,
  stored: StoredAuthority | undefined,
  nowMs: number,
): ServiceError | undefined {
  if (!stored) return invalidCredentials();
  const { expiresAtMs, scopes } = stored.caller;
  if (tokenStatus({ revokedAtMs: stored.revokedAtMs, expiresAtMs }, nowMs) !== 'active') {
    return invalidCredentials();
  }
  if (stored.tenantDeleteAfterMs !== null) {
    return caller.tenantId === null ? notFound('tenant') : invalidCredentials();
  }
  const lost = caller.scopes.filter((scope) => !scopes.includes(scope));
  if (lost.length === 0) return undefined;
  return new ServiceError('insufficient_scope', `The credential has lost the scope ${lost.join(', ')}`);
}
