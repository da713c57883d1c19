import { toEmailKey } from '../../accounts/index.ts';
import type { SignOnProvider } from '../sign-on-provider.ts';
import { type Claims, readClaim } from './claim.ts';

/** Amazon Cognito and Google document the text `true`. */
const AFFIRMATIONS: ReadonlySet<unknown> = new Set([true, 'true']);
/** Entra ID has been seen to send xms_edov as the text `1`. */
const DOMAIN_AFFIRMATIONS: ReadonlySet<unknown> = new Set([true, 'true', 1, '1']);

/** Returns whether a source says that its address is verified. Undefined if it says nothing. */
export function readVerification(claims: Claims): boolean | undefined {
  const stated = readClaim(claims, 'email_verified');
  if (stated !== undefined) return AFFIRMATIONS.has(stated);
  // Entra ID sends no email_verified. Its xms_edov says whether the owner of the address's domain is verified.
  const ofDomain = readClaim(claims, 'xms_edov');
  return ofDomain === undefined ? undefined : DOMAIN_AFFIRMATIONS.has(ofDomain);
}

/** Returns whether an address counts as verified. No setting overrules a provider that denies it. */
export function isVerified(
  { trustsEmail }: Pick<SignOnProvider, 'trustsEmail'>,
  sources: readonly Claims[],
  email: string,
): boolean {
  if (sources.some((claims) => readVerification(claims) === false)) return false;
  // One source must not verify the address of the other.
  const isAffirmed = sources.some(
    (claims) => readVerification(claims) === true && isSame(readClaim(claims, 'email'), email),
  );
  return isAffirmed || trustsEmail;
}

function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && toEmailKey(one) === toEmailKey(other);
}
