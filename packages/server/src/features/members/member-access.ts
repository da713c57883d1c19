import { ROLE_SCOPES, type Role } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { SignOnEnding } from '../holdings/index.ts';
import type { Membership } from './membership.ts';

/** What ends when a member changes. */
export type MemberEnding =
  /** The member loses the access or scopes: all that acts on the member's authority ends. */
  | { readonly isLoss: true; readonly signOn: SignOnEnding }
  /** Nothing but the role that applications act with: the member gains scopes. */
  | { readonly isLoss: false };

/**
 * Ends what acts on the authority of a member, in the transaction that removes the member or changes the role; the caller has
 * locked the member. Returns a function to call after the commit: it resolves when no transaction that relied on that
 * access can commit.
 * @throws ServiceError `invalid_state_transition` for `signOn: 'refuse'`
 */
export type EndAccessOfMember = (
  tx: Queries,
  member: Pick<Membership, 'tenantId' | 'accountId'>,
  ending: MemberEnding,
) => Promise<() => Promise<void>>;

/** Whether a role lacks a scope that another one has. */
export function isLess(role: Role, than: Role): boolean {
  return ROLE_SCOPES[than].some((scope) => !ROLE_SCOPES[role].includes(scope));
}
