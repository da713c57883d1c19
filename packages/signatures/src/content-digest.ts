import { parseDictionary } from 'structured-headers';
import { digest, sha256Base64 } from '#bytes';

const MAX_HEADER_LENGTH = 1024;

// RFC 9530 §5 lists more, all of them insecure. Unknown names are ignored, as §2 requires.
const DIGESTS: ReadonlyMap<string, 'sha256' | 'sha512'> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/** Returns the `Content-Digest` of a body (RFC 9530 §2): `sha-256=:<base64>:` over exactly these bytes. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${sha256Base64(body)}:`;
}

/**
 * Whether a `Content-Digest` header matches the body. The header must contain a matching `sha-256`; a `sha-512` must
 * match too, and other algorithms are ignored. False for a missing, malformed or overlong header (over 1024 characters).
 */
export function verifyContentDigest(header: string | undefined, body: Uint8Array): boolean {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) {
    return false;
  }
  // Nearly every device sends exactly this form. A digest is public, so the comparison need not take constant time.
  if (header === contentDigest(body)) {
    return true;
  }
  const members = parseMembers(header);
  return (
    members?.has('sha-256') === true && [...members].every(([name, value]) => matches(name, value, body))
  );
}

function parseMembers(header: string): Map<string, unknown> | undefined {
  try {
    return new Map([...parseDictionary(header)].map(([name, member]) => [name, member[0]]));
  } catch {
    return undefined;
  }
}

function matches(name: string, value: unknown, body: Uint8Array): boolean {
  const algorithm = DIGESTS.get(name);
  if (algorithm === undefined) {
    return true;
  }
  const expected = digest(algorithm, body);
  const given = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array();
  return given.length === expected.length && expected.every((byte, index) => byte === given[index]);
}
