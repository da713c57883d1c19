import type { AuditEntry } from '@tps/contract';
import type { Caller } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** The actor of an audit entry. */
export type AuditActor = AuditEntry['actor'];

/** Describes one privileged change, or a rejected attempt at one. */
export interface AuditRecord {
  readonly tenantId: TenantId | null;
  readonly actor: AuditActor;
  /** `<noun>.<verb>`. */
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly outcome: AuditEntry['outcome'];
  readonly requestId: string | null;
  /** One line for a person. Neither this nor `fields` may hold a secret. */
  readonly detail: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The parts of a request that identify who made a change. */
export interface ActingRequest {
  readonly caller: Pick<Caller, 'tokenId' | 'issued'>;
  readonly requestId: string;
}

export const COMMAND_LINE: AuditActor = { type: 'command_line', id: 'command_line' };
/** The service itself, for changes that no request asked for. */
export const SERVICE: AuditActor = { type: 'service', id: 'service' };

export function actorOf({ caller }: ActingRequest): AuditActor {
  const { tokenId, issued } = caller;
  if (!issued) return { type: 'token', id: tokenId };
  // An access token ends within the hour: its id would say little.
  const { accountId, clientId } = issued;
  return accountId === null ? { type: 'oauth_client', id: clientId } : { type: 'account', id: accountId };
}
