export { COUNTED, listDue as listDueTenants, type RowCounts } from './deletion-store.ts';
export { type RemovedTenant, removeDueTenants, type TenantRemoval } from './remove-due-tenants.ts';
export { TenantDeletion } from './tenant-deletion.ts';
export { TenantService } from './tenant-service.ts';
export type { Tenant, TenantRecord } from './tenant-store.ts';
export * as tenantStore from './tenant-store.ts';
