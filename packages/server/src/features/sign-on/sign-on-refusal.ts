import type { AdmissionRefusal } from './admit-person.ts';
import type { PersonRefusal } from './claims/person.ts';

/** Why a person was not signed in. */
export type SignOnRefusal =
  | PersonRefusal
  | AdmissionRefusal
  /** The sign-on is unknown, too old, was completed, or belongs to another browser. */
  | 'expired'
  /** The provider does not respond, or its response is not valid. */
  | 'provider_failed'
  /** Another person confirmed than the one who is signed in. */
  | 'another_person';

const UNCHANGED = 'Your access has not changed. Ask an admin of the tenant.';

/** What a person reads. */
export const REFUSAL_TEXTS: Readonly<Record<SignOnRefusal, string>> = {
  expired: 'This sign-on took too long, was completed already, or began in another browser.',
  provider_failed:
    'Your organization could not confirm who you are. The admins of the tenant can find the reason in the audit log.',
  email_missing: 'Your organization did not send your e-mail address.',
  email_not_verified: 'Your organization has not verified your e-mail address.',
  domain_not_allowed: 'Your e-mail address is not in a domain that may sign in here.',
  role_claim_missing: `Your organization did not send your groups or roles, so you cannot be signed in. ${UNCHANGED}`,
  role_claim_incomplete: `You are in more groups than your organization can send, so you cannot be signed in. ${UNCHANGED}`,
  role_claim_invalid: `Your organization sent your groups or roles in a form that the service cannot read. ${UNCHANGED}`,
  sign_in_first:
    'Your e-mail address has an account already. Sign in to it once, then use single sign-on. If you have no password, set one through the link on the sign-in page.',
  verify_first:
    'Your account belongs to another organization, and its e-mail address is not verified. Set a new password through a link, which verifies it. Then use single sign-on.',
  not_a_member: 'Your organization has not given you access. Ask an admin for an invitation.',
  too_many:
    'Too many people of your organization who already have an account signed in for the first time today. Try again tomorrow.',
  disabled: 'This account is disabled.',
  another_person: 'The person who signed in at your organization is not the one who is signed in here.',
};

/** What an admin reads in the audit log and in the log. The name of the claim is the one that an admin has set. */
export function explainRefusal(refusal: SignOnRefusal, roleClaim: string | null): string {
  switch (refusal) {
    case 'email_missing':
      return 'A person was not signed in: the provider did not send the claim email';
    case 'email_not_verified':
      return 'A person was not signed in: the provider does not confirm that the e-mail address is verified. If it never sends email_verified, see trust_email';
    case 'role_claim_missing':
      return `A person was not signed in: the provider did not send the claim ${roleClaim}. Their access was not changed${toHint(roleClaim)}`;
    case 'role_claim_incomplete':
      return `A person was not signed in: they have more values of the claim ${roleClaim} than the provider sends (overage). Their access was not changed`;
    case 'role_claim_invalid':
      return `A person was not signed in: the claim ${roleClaim} is neither a text nor a list of texts. Their access was not changed`;
    default:
      return `A person was not signed in: ${refusal}`;
  }
}

/** Many programs write the path of a nested claim with dots. */
function toHint(roleClaim: string | null): string {
  if (!roleClaim?.includes('.') || roleClaim.includes('/')) return '';
  return `. If it is within another claim, set the claim /${roleClaim.replaceAll('.', '/')}`;
}
