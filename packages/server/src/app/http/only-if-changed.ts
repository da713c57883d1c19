import { createHash } from 'node:crypto';
import type { Reply } from '../../platform/http/route.ts';

/** An entity tag as RFC 9110 section 8.8.3 writes it; a comma may stand inside. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
/** As many as are told apart from all other bodies: the tag guards no secret. */
const DIGEST_CHARACTERS = 32;

/**
 * Gives a success its entity tag and, when the client has just that already, answers 304 without a body
 * (RFC 9110 section 13.1.2, weak comparison). What is no tag in `If-None-Match` matches nothing.
 */
export function onlyIfChanged(reply: Reply, ifNoneMatch: string | undefined): Reply {
  if (reply.status !== 200) return reply;
  const json = reply.json ?? JSON.stringify(reply.body);
  const etag = reply.etag ?? digestTag(json);
  return isAtHand(etag, ifNoneMatch) ? { status: 304, etag } : { ...reply, json, etag };
}

function digestTag(json: string): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, DIGEST_CHARACTERS)}"`;
}

function isAtHand(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(ENTITY_TAG)].some(([, tag]) => tag === opaque);
}
