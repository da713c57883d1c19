import { isEmail, isPersonName, MAX_NAME_LENGTH, toEmailKey } from '../../accounts/index.ts';
import { isInDomains, type SignOnProvider } from '../sign-on-provider.ts';
import { type Claims, readClaim, readFirst } from './claim.ts';
import { decideRole, type RoleDecision, type RoleRefusal } from './role-claim.ts';
import { isVerified, readVerification } from './verified-email.ts';

/** A person whom a provider has confirmed and may confirm. */
export interface Person {
  /** Unique within the issuer, and never given to someone else, unlike an e-mail address. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly role: RoleDecision;
}

/** Why what a provider states about a person does not suffice. */
export type PersonRefusal = 'email_missing' | 'email_not_verified' | 'domain_not_allowed' | RoleRefusal;

/** Returns whether an ID token has all claims that `toPerson` needs. */
export function isSufficient({ roleClaim }: Pick<SignOnProvider, 'roleClaim'>, idToken: Claims): boolean {
  const needed = [readClaim(idToken, 'email'), readVerification(idToken)];
  if (roleClaim !== null) needed.push(readClaim(idToken, roleClaim));
  return !needed.includes(undefined);
}

/** Reads a person from the claims of the ID token and, if it was asked, of the userinfo endpoint. */
export function toPerson(
  provider: SignOnProvider,
  { subject, sources }: { readonly subject: string; readonly sources: readonly Claims[] },
): Person | PersonRefusal {
  // The userinfo endpoint is asked if the ID token has no verified address: that of the endpoint then counts.
  const { email } = sources.findLast((claims) => readClaim(claims, 'email') !== undefined) ?? {};
  if (typeof email !== 'string' || !isEmail(email)) return 'email_missing';
  if (!isVerified(provider, sources, email)) return 'email_not_verified';
  if (!isInDomains(provider, toEmailKey(email))) return 'domain_not_allowed';
  const role = decideRole(provider, sources);
  if (typeof role === 'string') return role;
  return { subject, email: email.trim(), name: toName(readFirst(sources, 'name'), email), role };
}

function toName(name: unknown, email: string): string {
  const given = typeof name === 'string' ? name.trim().slice(0, MAX_NAME_LENGTH) : '';
  return isPersonName(given) ? given : (email.trim().split('@')[0] ?? email).slice(0, MAX_NAME_LENGTH);
}
