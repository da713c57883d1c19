import { randomBytes } from 'node:crypto';
import { Secret } from '../../../platform/crypto/secret.ts';

/** 192 bits, which cannot be guessed. */
const SECRET_BYTES = 24;

/** Creates the secret of a link. It has no `svc_` prefix: it is not a credential of the API. */
export function mintLinkSecret(): Secret {
  return new Secret(randomBytes(SECRET_BYTES).toString('base64url'));
}
