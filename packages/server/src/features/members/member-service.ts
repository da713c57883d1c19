import type { Member, Role } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest, Caller } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { type LockedMember, lockMember } from './lock-member.ts';
import { type EndAccessOfMember, isLess, type MemberEnding } from './member-access.ts';
import * as memberReadModel from './member-read-model.ts';
import type { Membership } from './membership.ts';
import * as membershipStore from './membership-store.ts';
import { refuseEscalation, requireScopesOf } from './role-escalation.ts';

/** Single sign-on must be adopted or deleted first: what decides who belongs to the tenant never ends unnoticed. */
const LOSS: MemberEnding = { isLoss: true, signOn: 'refuse' };

/** Changes and removes members, each with its audit entry in the same transaction. */
export class MemberService {
  readonly #requests: RequestDatabase;
  readonly #clock: Clock;
  readonly #endAccess: EndAccessOfMember;

  constructor(parts: { requests: RequestDatabase; clock: Clock; endAccess: EndAccessOfMember }) {
    this.#requests = parts.requests;
    this.#clock = parts.clock;
    this.#endAccess = parts.endAccess;
  }

  /** @throws ServiceError `not_found` */
  async get(tenantId: TenantId, accountId: string): Promise<Member> {
    const member = await memberReadModel.find(this.#requests.read, tenantId, accountId);
    if (!member) throw notFound('member');
    return member;
  }

  /**
   * Changes the role of a member; the same role has no effect. Afterwards no access that the old role gave is left. The
   * caller needs the scopes of both roles: a caller that cannot appoint an admin cannot demote one either.
   * @throws ServiceError `not_found`, `scope_escalation`; `invalid_state_transition` for the last admin, and for a lower
   * role of the owner of single sign-on
   */
  async setRole(
    { tenantId, accountId, role }: { tenantId: TenantId; accountId: string; role: Role },
    request: AdmittedRequest,
  ): Promise<void> {
    await this.#refuseEscalation(role, accountId, request);
    await this.#refuseChange(accountId, request);
    const change = async (tx: Queries, caller: Caller) => {
      requireScopesOf(caller, role);
      const { member, isLastAdmin } = await lock(tx, tenantId, accountId);
      requireScopesOf(caller, member.role);
      if (member.role === role) return undefined;
      if (isLastAdmin) throw lastAdmin();
      await membershipStore.setRole(tx, member, role);
      const ending = isLess(role, member.role) ? LOSS : ({ isLoss: false } as const);
      return this.#endAccessOf(tx, member, {
        request,
        ending,
        action: 'member.update',
        detail: `Role of the member changed from ${member.role} to ${role}`,
        fields: { from: member.role, to: role },
      });
    };
    const awaitEnd = await this.#requests.transaction(request, change, { repeatable: true });
    await awaitEnd?.();
  }

  /**
   * Removes a member. Afterwards nothing can change the tenant in the member's name. The caller needs the scopes of the
   * member's role. With `endsSignOn`, single sign-on ends too if the member owns it: otherwise a program of the member could
   * save its settings again and again, and each time prevent the removal.
   * @throws ServiceError `not_found`, `scope_escalation`; `invalid_state_transition` for the last admin and, without
   * `endsSignOn`, for the owner of single sign-on
   */
  async remove(
    { tenantId, accountId, endsSignOn }: { tenantId: TenantId; accountId: string; endsSignOn: boolean },
    request: AdmittedRequest,
  ): Promise<void> {
    await this.#refuseChange(accountId, request);
    if (endsSignOn) await this.#refuseEscalation('admin', accountId, request);
    const removal = async (tx: Queries, caller: Caller) => {
      if (endsSignOn) requireScopesOf(caller, 'admin');
      const { member, isLastAdmin } = await lock(tx, tenantId, accountId);
      requireScopesOf(caller, member.role);
      if (isLastAdmin) throw lastAdmin();
      await membershipStore.remove(tx, tenantId, accountId);
      return this.#endAccessOf(tx, member, {
        request,
        ending: endsSignOn ? { isLoss: true, signOn: 'end' } : LOSS,
        action: 'member.remove',
        detail: `Member with the role ${member.role} removed`,
        fields: { role: member.role },
      });
    };
    const awaitEnd = await this.#requests.transaction(request, removal, { repeatable: true });
    await awaitEnd();
  }

  /** Rejects the change of a member whose role exceeds the caller, and records the attempt. */
  async #refuseChange(accountId: string, request: AdmittedRequest): Promise<void> {
    const { role } = await this.get(request.tenantId, accountId);
    await this.#refuseEscalation(role, accountId, request);
  }

  #refuseEscalation(role: Role, accountId: string, request: AdmittedRequest): Promise<void> {
    return refuseEscalation(role, {
      requests: this.#requests,
      request,
      action: 'member.denied',
      resource: { type: 'account', id: accountId },
      nowMs: this.#clock.now(),
    });
  }

  async #endAccessOf(
    tx: Queries,
    { tenantId, accountId }: Membership,
    {
      request,
      ending,
      ...change
    }: {
      request: AdmittedRequest;
      ending: MemberEnding;
      action: string;
      detail: string;
      fields: Record<string, unknown>;
    },
  ): Promise<() => Promise<void>> {
    const nowMs = this.#clock.now();
    const awaitEnd = await this.#endAccess(tx, { tenantId, accountId }, ending);
    const resource = { type: 'account', id: accountId };
    await auditStore.appendFor(tx, request, { tenantId, resource, ...change }, nowMs);
    return awaitEnd;
  }
}

/** @throws ServiceError `not_found` */
async function lock(tx: Queries, tenantId: TenantId, accountId: string): Promise<LockedMember> {
  const locked = await lockMember(tx, tenantId, accountId);
  if (!locked) throw notFound('member');
  return locked;
}

function lastAdmin(): ServiceError {
  return new ServiceError(
    'invalid_state_transition',
    'The member is the last admin of the tenant: make another member an admin first',
  );
}
