import { digestTag } from '../../platform/http/digest-tag.ts';
import type { Reply } from '../../platform/http/route.ts';

/** An entity tag as defined in RFC 9110 section 8.8.3; it may contain a comma. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Adds an entity tag to a successful reply, or replies with 304 and no body if the client already has that version
 * (RFC 9110 section 13.1.2, weak comparison). Invalid tags in `If-None-Match` match nothing.
 */
export function onlyIfChanged(reply: Reply, ifNoneMatch: string | undefined): Reply {
  if (reply.status !== 200) return reply;
  const json = reply.json ?? JSON.stringify(reply.body);
  const etag = reply.etag ?? digestTag(json);
  return isCurrent(etag, ifNoneMatch) ? { status: 304, etag } : { ...reply, json, etag };
}

function isCurrent(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(ENTITY_TAG)].some(([, tag]) => tag === opaque);
}
