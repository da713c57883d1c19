/**
 * Compares two entity tags weakly (RFC 9110 section 8.8.3.2): a proxy that compresses answers may have made one of them
 * weak. A missing tag equals none.
 */
export function isSameTag(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && opaque(one) === opaque(other);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
