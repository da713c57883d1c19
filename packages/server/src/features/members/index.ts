export type { Membership, TenantOfMember } from './membership.ts';
export * as membershipStore from './membership-store.ts';
export { listTenantsOf as tenantsOf } from './tenant-read-model.ts';
