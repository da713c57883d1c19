export { leaveTenants, lockForDeparture } from './departure.ts';
export { purgeInvitations } from './invitations/purge-invitations.ts';
export type { EndAccessOfMember } from './member-access.ts';
export * as membershipStore from './membership-store.ts';
export { listTenantsOf as tenantsOf } from './tenant-read-model.ts';
