export { TenantService } from './tenant-service.ts';
export type { Tenant } from './tenant-store.ts';
export * as tenantStore from './tenant-store.ts';
