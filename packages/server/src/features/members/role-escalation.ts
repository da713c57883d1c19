import { ROLE_SCOPES, type Role } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { AdmittedRequest, Caller } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { actorOf, auditStore } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';

/** A caller can assign and take away only roles whose scopes it holds. Returns the scopes that it lacks. */
function missingFor(caller: Caller, role: Role): string[] {
  return ROLE_SCOPES[role].filter((scope) => !caller.scopes.includes(scope));
}

/** @throws ServiceError `scope_escalation` for a role with more scopes than the caller's */
export function requireScopesOf(caller: Caller, role: Role): void {
  const missing = missingFor(caller, role);
  if (missing.length > 0) throw escalation(role, missing);
}

/**
 * Does the same before the transaction of the change, and records the attempt.
 * @throws ServiceError `scope_escalation`
 */
export async function refuseEscalation(
  role: Role,
  {
    requests,
    request,
    action,
    resource,
    nowMs,
  }: {
    requests: RequestDatabase;
    request: AdmittedRequest;
    action: string;
    resource: { type: string; id: string };
    nowMs: number;
  },
): Promise<void> {
  const missing = missingFor(request.caller, role);
  if (missing.length === 0) return;
  const record = (tx: Queries) =>
    auditStore.append(
      tx,
      {
        tenantId: request.tenantId,
        actor: actorOf(request),
        action,
        resource,
        outcome: 'denied',
        requestId: request.requestId,
        detail: `Rejected: the caller does not hold every scope of the role ${role}`,
        fields: { role, missing },
      },
      nowMs,
    );
  await requests.transaction(request, record);
  throw escalation(role, missing);
}

function escalation(role: Role, missing: readonly string[]): ServiceError {
  return new ServiceError(
    'scope_escalation',
    `The role ${role} has scopes that the caller does not hold: ${missing.join(', ')}`,
  );
}
