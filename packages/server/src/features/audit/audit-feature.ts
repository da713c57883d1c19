import type { Feature, SharedParts } from '../feature.ts';
import { auditRoutes } from './audit-routes.ts';
import { objectAuditRoutes } from './object-audit-routes.ts';

/** The history of a tenant, and of one object. */
export function auditFeature({ requests: { read }, cursors }: SharedParts): Feature {
  return { routes: [...auditRoutes({ read, cursors }), ...objectAuditRoutes({ read, cursors })] };
}
