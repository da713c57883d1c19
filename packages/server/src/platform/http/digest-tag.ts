import { createHash } from 'node:crypto';

/** Enough to distinguish all bodies: the tag protects no secret. */
const DIGEST_CHARACTERS = 32;

/** Returns the entity tag (RFC 9110 section 8.8.3) of a body without another one: a digest of what is sent. */
export function digestTag(json: string): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, DIGEST_CHARACTERS)}"`;
}
