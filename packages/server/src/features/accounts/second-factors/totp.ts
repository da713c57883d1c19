import { generateSecret, generateURI, verifySync } from 'otplib';
import { Secret } from '../../../platform/crypto/secret.ts';

/** The step that every authenticator app knows (RFC 6238, section 5.2). */
const STEP_SECONDS = 30;
/** RFC 4226, section 4: 160 bits are recommended. */
const SECRET_BYTES = 20;
const CODE = /^\d{6}$/;

/** Creates the secret that a person's authenticator app shares with the service, in base32. */
export function createTotpSecret(): Secret {
  return new Secret(generateSecret({ length: SECRET_BYTES }));
}

/** Returns what an authenticator app reads from a QR code. It contains the secret. */
export function toTotpUri(
  secret: Secret,
  { issuer, email }: { readonly issuer: string; readonly email: string },
): Secret {
  return new Secret(generateURI({ issuer, label: email, secret: secret.reveal() }));
}

/** Returns the code in a text that a person typed, or undefined if it contains none. Apps show codes in two groups. */
export function toTotpCode(text: string): string | undefined {
  const code = text.replaceAll(/\s/g, '');
  return CODE.test(code) ? code : undefined;
}

/**
 * Returns the time step to which a code belongs, or undefined if the code is wrong. Accepts the step before and the step
 * after the current one: clocks differ, and typing takes time (RFC 6238, section 6).
 */
export function findTotpStep(
  secret: Secret,
  { code, nowMs }: { code: string; nowMs: number },
): number | undefined {
  const result = verifySync({
    secret: secret.reveal(),
    token: code,
    epoch: Math.floor(nowMs / 1000),
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
