export { DeletionRequests, toDeletionRequest } from './deletion-request.ts';
export { COUNT_LIMIT, listDue as listDueTenants } from './deletion-store.ts';
export { purgeDueTenants, type RemovedTenant } from './purge-due-tenants.ts';
export { TenantDeletion } from './tenant-deletion.ts';
export type { Tenant, TenantRecord } from './tenant-store.ts';
export * as tenantStore from './tenant-store.ts';
