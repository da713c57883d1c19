import { isEmail, isPersonName, MAX_NAME_LENGTH, toEmailKey } from '../accounts/index.ts';
import type { ProviderClaims } from './openid-provider.ts';
import { decideRole, isInDomains, type RoleDecision, type SignOnProvider } from './sign-on-provider.ts';

/** A person whom a provider has confirmed and may confirm. */
export interface Person {
  /** Unique within the issuer, and never given to someone else, unlike an e-mail address. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly role: RoleDecision;
}

/** Why the claims of an ID token do not suffice. */
export type PersonRefusal = 'email_missing' | 'email_not_verified' | 'domain_not_allowed';

/** Reads a person from the claims of an ID token. */
export function toPerson(provider: SignOnProvider, claims: ProviderClaims): Person | PersonRefusal {
  const { email, email_verified: isVerified, name } = claims.all;
  if (typeof email !== 'string' || !isEmail(email)) return 'email_missing';
  if (isVerified !== true) return 'email_not_verified';
  if (!isInDomains(provider, toEmailKey(email))) return 'domain_not_allowed';
  return {
    subject: claims.subject,
    email: email.trim(),
    name: toName(name, email),
    role: decideRole(provider, claims.all),
  };
}

function toName(name: unknown, email: string): string {
  const given = typeof name === 'string' ? name.trim().slice(0, MAX_NAME_LENGTH) : '';
  return isPersonName(given) ? given : (email.trim().split('@')[0] ?? email).slice(0, MAX_NAME_LENGTH);
}
