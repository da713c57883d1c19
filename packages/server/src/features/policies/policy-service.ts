import type { NewPolicy, PolicyChange } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import { type ActingRequest, auditStore } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { archivePolicy, changePolicy, newPolicy, type PolicyRecord } from './policy.ts';
import * as policyStore from './policy-store.ts';

/** Creates, changes and archives policies, each with its audit entry in the same transaction. */
export class PolicyService {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: RequestDatabase; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws ServiceError `policy_id_conflict` */
  create(tenantId: TenantId, wanted: NewPolicy, request: AdmittedRequest): Promise<PolicyRecord> {
    const nowMs = this.#clock.now();
    const policyId = wanted.policy_id ?? createId(ID_PREFIXES.policy, nowMs);
    const policy = newPolicy({ ...wanted, policy_id: policyId }, nowMs);
    return this.#database.transaction(request, async (tx) => {
      const isNew = await policyStore.create(tx, tenantId, policy);
      if (!isNew)
        throw new ServiceError(
          'policy_id_conflict',
          'policy_id is already in use, possibly by an archived policy',
        );
      await audit(tx, request, { tenantId, policy, action: 'policy.create' });
      return policy;
    });
  }

  /** @throws ServiceError `not_found`, also for an archived policy, which cannot change any more */
  update(
    tenantId: TenantId,
    policyId: string,
    { change, request }: { change: PolicyChange; request: AdmittedRequest },
  ): Promise<PolicyRecord> {
    return this.#database.transaction(request, async (tx) => {
      const before = await policyStore.findForUpdate(tx, tenantId, policyId);
      if (!before || before.archivedAtMs !== null) throw notFound('policy');
      const policy = changePolicy(before, change, this.#clock.now());
      await policyStore.update(tx, tenantId, policy);
      await audit(tx, request, { tenantId, policy, action: 'policy.update' });
      return policy;
    });
  }

  /** A repeat has no effect. @throws ServiceError `not_found` */
  archive(tenantId: TenantId, policyId: string, request: AdmittedRequest): Promise<void> {
    return this.#database.transaction(request, async (tx) => {
      const before = await policyStore.findForUpdate(tx, tenantId, policyId);
      if (!before) throw notFound('policy');
      if (before.archivedAtMs !== null) return;
      const policy = archivePolicy(before, this.#clock.now());
      await policyStore.update(tx, tenantId, policy);
      await audit(tx, request, { tenantId, policy, action: 'policy.archive' });
    });
  }
}

async function audit(
  tx: Queries,
  request: ActingRequest,
  { tenantId, policy, action }: { tenantId: TenantId; policy: PolicyRecord; action: string },
): Promise<void> {
  const { policyId, updatedAtMs, name, categories, version, enabled, confidenceThreshold } = policy;
  await auditStore.appendFor(
    tx,
    request,
    {
      tenantId,
      action,
      resource: { type: 'policy', id: policyId },
      detail: `Policy "${name}" is at version ${version}`,
      fields: {
        name,
        version,
        enabled,
        threat_categories: categories,
        action: policy.action,
        confidence_threshold: confidenceThreshold,
        updated_at: toTimestamp(updatedAtMs),
      },
    },
    updatedAtMs,
  );
}
