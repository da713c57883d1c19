import { ROLES, type Role } from '@tps/contract';
import type { SignOnProvider } from '../sign-on-provider.ts';
import { type Claims, isObject, readFirst, toSteps } from './claim.ts';

/** The role that a provider gives to a person. */
export type RoleDecision =
  /** Null: the person is not to be a member. */
  | { readonly kind: 'decided'; readonly role: Role | null }
  /** No claim decides: members keep their role, and new ones get this one. */
  | { readonly kind: 'open'; readonly role: Role | null }
  /**
   * The provider does not send the claim: it withholds it, or the person has no values. That takes no role away, and lets
   * the person use no more than this role.
   */
  | { readonly kind: 'missing'; readonly role: Role | null };

/** Why no role can be read from what a provider sends. Nothing changes then, and the person is not signed in. */
export type RoleRefusal =
  /** The provider sends at most a part of the values, and refers to another place for the rest. */
  | 'role_claim_incomplete'
  /** The claim is neither a text nor a list of texts. */
  | 'role_claim_invalid';

/** Returns the role that the claims give. Of several, the one with the most scopes counts. */
export function decideRole(
  { roleClaim, roleMap, defaultRole }: Pick<SignOnProvider, 'roleClaim' | 'roleMap' | 'defaultRole'>,
  sources: readonly Claims[],
): RoleDecision | RoleRefusal {
  // Older versions stored a claim without a map, which no value can match.
  if (roleClaim === null || roleMap.length === 0) return { kind: 'open', role: defaultRole };
  if (sources.some((claims) => isElsewhere(claims, roleClaim))) return 'role_claim_incomplete';
  const claim = readFirst(sources, roleClaim);
  if (claim === undefined) return { kind: 'missing', role: defaultRole };
  const values = [claim].flat();
  if (!values.every((value) => typeof value === 'string')) return 'role_claim_invalid';
  const given = new Set(values);
  const mapped = roleMap.filter(({ value }) => given.has(value)).map(({ role }) => role);
  return { kind: 'decided', role: ROLES.findLast((role) => mapped.includes(role)) ?? defaultRole };
}

/**
 * Returns whether the provider refers to another place for a claim (OpenID Connect Core, section 5.6.2). Entra ID does so
 * for a person in more groups than a token holds. Its reference of ID tokens also names `hasgroups` and `groups:src1`.
 */
function isElsewhere(claims: Claims, roleClaim: string): boolean {
  const [name = roleClaim] = toSteps(roleClaim);
  const { _claim_names: references, hasgroups } = claims;
  if (isObject(references) && Object.hasOwn(references, name)) return true;
  if (name === 'groups' && (hasgroups === true || hasgroups === 'true')) return true;
  const mark = `${name}:src`;
  return Object.keys(claims).some((key) => key.startsWith(mark) && /^\d+$/.test(key.slice(mark.length)));
}
