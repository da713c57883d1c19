import { idForm } from '@tps/contract';
import type { Database } from '../../../database/index.ts';
import { tenantStore } from '../../../features/tenants/index.ts';
import type { Caller } from '../../../platform/http/route.ts';
import { notFound, ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

const TENANT_ID = idForm('tenant');

/** Determines the tenant of a request from its credential and the tenant that it may name. */
export type ResolveTenant = (caller: Caller, named: unknown) => Promise<TenantId>;

/**
 * A tenant's credential belongs to that tenant and may repeat its id; an operator's must name an existing tenant.
 * @throws ServiceError `tenant_mismatch`, `tenant_required`, `invalid_field`, `not_found`
 */
export function createTenantResolver(database: Database): ResolveTenant {
  return async ({ tenantId }, named) => {
    if (tenantId !== null) {
      if (named === undefined || typeof named !== 'string' || named === tenantId) return tenantId;
      throw new ServiceError('tenant_mismatch', 'tenant_id is not the tenant of this credential');
    }
    if (named === undefined) {
      throw new ServiceError(
        'tenant_required',
        'tenant_id is required with this credential, which is not bound to a tenant',
      );
    }
    if (typeof named !== 'string') throw new ServiceError('invalid_field', 'tenant_id must be a string');
    if (!TENANT_ID.test(named)) throw notFound('tenant');
    const tenant = await tenantStore.find(database.read, named);
    if (!tenant) throw notFound('tenant');
    return tenant.tenantId;
  };
}
