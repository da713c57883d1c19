export { endAccessInTenants, leaveTenants, lockForDeparture } from './departure.ts';
export { invitationHoldings, revokeInvitationsOf } from './invitations/invitation-holdings.ts';
export { purgeInvitations } from './invitations/purge-invitations.ts';
export { type LockedMember, lockMember } from './lock-member.ts';
export { mayJoin } from './may-join.ts';
export { type EndAccessOfMember, isLess } from './member-access.ts';
export * as membershipStore from './membership-store.ts';
export { refuseEscalation, requireScopesOf } from './role-escalation.ts';
export { listTenantsOf as tenantsOf } from './tenant-read-model.ts';
