import { ServiceError } from '../service-error.ts';

/**
 * Takes out of a PATCH body what is to change; `tenant_id` only says where.
 * @throws ServiceError `invalid_field` when nothing is left
 */
export function requestedChange<Body extends { tenant_id?: string }>(body: Body): Omit<Body, 'tenant_id'> {
  const { tenant_id: _tenant, ...change } = body;
  if (Object.keys(change).length === 0) {
    throw new ServiceError('invalid_field', 'The body must name at least one member to change');
  }
  return change;
}
