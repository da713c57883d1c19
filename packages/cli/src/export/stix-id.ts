import { createHash } from 'node:crypto';

/** Namespace for the ids of cyber-observable objects, STIX 2.1 section 2.9. */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7';

/** Namespace for the ids of all other objects; a random UUID. */
const OURS = '5f0c7c0e-0e0b-4a3e-9b66-7d5f5a0c2f41';

/**
 * Returns the id of a cyber-observable object, which is the same in every program that follows the standard.
 * @param contributing the properties that the standard lists for the type, as lower-case ASCII text
 */
export function observableId(type: string, contributing: Readonly<Record<string, unknown>>): string {
  // For ASCII text RFC 8785 only requires sorted names, and there is one name on each level here.
  return `${type}--${uuidV5(OBSERVABLES, JSON.stringify(contributing))}`;
}

/** Returns the id of another object. The same names produce the same id. */
export function objectId(type: string, names: readonly string[]): string {
  return `${type}--${uuidV5(OURS, JSON.stringify([type, ...names]))}`;
}

/** RFC 9562 section 5.5. */
function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
