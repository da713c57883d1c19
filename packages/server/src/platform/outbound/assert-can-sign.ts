import { ServiceError } from '../service-error.ts';

const PREFIX = 'whsec_';
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/**
 * Checks a new secret. One of the form of Standard Webhooks must be Base64 of 24 to 64 bytes, with padding
 * (https://www.standardwebhooks.com, version 1, "Signature scheme"): its libraries decode it, so they could verify nothing
 * that another one signs. Secrets that were stored before this rule still sign.
 *
 * @throws ServiceError `invalid_field`
 */
export function assertCanSign(secret: string): void {
  if (!secret.startsWith(PREFIX) || isStandardKey(secret.slice(PREFIX.length))) return;
  throw new ServiceError(
    'invalid_field',
    `secret begins with ${PREFIX}, so Base64 of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes must follow, with padding`,
  );
}

function isStandardKey(encoded: string): boolean {
  const key = Buffer.from(encoded, 'base64');
  return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES && key.toString('base64') === encoded;
}
