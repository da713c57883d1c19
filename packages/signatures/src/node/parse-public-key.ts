import { createPublicKey, type KeyObject } from 'node:crypto';
import { algorithmsFor, RSA_MAX_BITS, RSA_MIN_BITS } from './key-algorithms.ts';
import { weaknessOfEd25519, weaknessOfModulus } from './weak-keys.ts';

// A 4096-bit RSA key takes 736 characters.
const MAX_LENGTH = 1024;

// F4. Smaller exponents (3 above all) have broken signatures where padding was checked loosely.
const MIN_RSA_EXPONENT = 65_537n;

// OpenSSL's OPENSSL_RSA_MAX_PUBEXP_BITS for large moduli: a huge exponent would make each verification slow.
const MAX_RSA_EXPONENT_BITS = 64n;

// Named curve, uncompressed point (04). OpenSSL also accepts a compressed point (02, 03), a hybrid one (06, 07), the point
// at infinity and explicit curve parameters, and exports each in the form it was given: one key would have many encodings.
const P256_BYTES = 91;
const P256_POINT_AT = 26;
const UNCOMPRESSED = 0x04;

const ED25519_POINT_AT = 12;

// A bit string of one zero byte (SEC 1 §2.3.3).
const INFINITY = Buffer.from('03020000', 'hex');

/** A public key breaks a rule. The message says which in one sentence, and does not quote the key. */
export class PublicKeyError extends Error {
  override readonly name = 'PublicKeyError';
}

/**
 * Parses a device's public key: the standard base64 of its SubjectPublicKeyInfo (RFC 5280 §4.1) in DER. The key is RSA of
 * 2048 to 4096 bits with the plain `rsaEncryption` identifier, P-256 as a named curve with an uncompressed point, or
 * Ed25519. Each key has exactly one accepted encoding, so that equal keys are equal strings. Known weak keys are refused:
 * Ed25519 points of small order, RSA moduli with a small factor or the ROCA fingerprint.
 *
 * @throws PublicKeyError for anything else
 */
export function parsePublicKey(publicKeyB64: string): KeyObject {
  const der = decode(publicKeyB64);
  const key = importSpki(der);
  checkKind(key, der);
  if (!key.export({ type: 'spki', format: 'der' }).equals(der)) {
    throw new PublicKeyError('The public key is not in canonical DER, or bytes follow it.');
  }
  return key;
}

function decode(text: string): Buffer {
  if (text.length === 0 || text.length > MAX_LENGTH) {
    throw new PublicKeyError(`The public key must be 1 to ${MAX_LENGTH} characters of base64.`);
  }
  const der = Buffer.from(text, 'base64');
  // Node decodes leniently: it accepts base64url, spaces, missing padding and stray bits. Encoding again detects them.
  if (der.toString('base64') !== text) {
    throw new PublicKeyError('The public key is not canonical base64 (RFC 4648 §4, with padding).');
  }
  return der;
}

function importSpki(der: Buffer): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    throw new PublicKeyError('The public key is not a SubjectPublicKeyInfo in DER.');
  }
}

function checkKind(key: KeyObject, der: Buffer): void {
  // Before any other look at the key: Node 22 ends the process when it is asked for the details of this point.
  if (key.asymmetricKeyType === 'ec' && der.subarray(-INFINITY.length).equals(INFINITY)) {
    throw new PublicKeyError('The public key is the point at infinity.');
  }
  if (key.asymmetricKeyType === 'rsa') {
    checkRsa(key);
  } else if (algorithmsFor(key).length === 0) {
    throw new PublicKeyError('The public key is neither RSA (rsaEncryption), P-256 nor Ed25519.');
  } else if (key.asymmetricKeyType === 'ec') {
    checkP256(der);
  } else {
    refuseWeak(weaknessOfEd25519(der.subarray(ED25519_POINT_AT)));
  }
}

function checkP256(der: Buffer): void {
  if (der.length === P256_BYTES && der[P256_POINT_AT] === UNCOMPRESSED) return;
  throw new PublicKeyError(
    'A P-256 key must name its curve and contain an uncompressed point, and no more bytes.',
  );
}

function checkRsa(key: KeyObject): void {
  if (algorithmsFor(key).length === 0) {
    throw new PublicKeyError(`An RSA modulus must have ${RSA_MIN_BITS} to ${RSA_MAX_BITS} bits.`);
  }
  const exponent = key.asymmetricKeyDetails?.publicExponent ?? 0n;
  if (exponent < MIN_RSA_EXPONENT || exponent >> MAX_RSA_EXPONENT_BITS > 0n || exponent % 2n === 0n) {
    throw new PublicKeyError('An RSA exponent must be odd, at least 65537 and below 2^64.');
  }
  refuseWeak(weaknessOfModulus(Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url')));
}

function refuseWeak(weakness: string | undefined): void {
  if (weakness !== undefined) throw new PublicKeyError(weakness);
}
