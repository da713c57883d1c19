import { ServiceError } from '../service-error.ts';

/**
 * Returns the members of a PATCH body that are to change; `tenant_id` only selects the tenant.
 * @throws ServiceError `invalid_field` when there are none
 */
export function requestedChange<Body extends { tenant_id?: string }>(body: Body): Omit<Body, 'tenant_id'> {
  const { tenant_id: _tenant, ...change } = body;
  if (Object.keys(change).length === 0) {
    throw new ServiceError('invalid_field', 'The body must name at least one member to change');
  }
  return change;
}
