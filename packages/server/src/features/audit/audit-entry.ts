import type { AuditEntry } from '@tps/contract';
import type { Caller } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Who acted, as the audit trail names it. */
export type AuditActor = AuditEntry['actor'];

/** What is written down about one privileged change, or about one that was refused. */
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

/** The request that a change came with: enough to say who did it. */
export interface ActingRequest {
  readonly caller: Pick<Caller, 'tokenId'>;
  readonly requestId: string;
}

export const COMMAND_LINE: AuditActor = { type: 'command_line', id: 'command_line' };
/** The service itself, when nobody asked for the change. */
export const SERVICE: AuditActor = { type: 'service', id: 'service' };

export function actorOf({ caller }: ActingRequest): AuditActor {
  return { type: 'token', id: caller.tokenId };
}
