import { createHash } from 'node:crypto';

/** The namespace that STIX 2.1 section 2.9 sets for the ids of cyber-observable objects. */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7';

/** The namespace of everything else that is written here, made at random once. */
const OURS = '5f0c7c0e-0e0b-4a3e-9b66-7d5f5a0c2f41';

/**
 * Gives the id of a cyber-observable object: the same in every program that follows the standard.
 * @param contributing the properties that the standard names for the type, of lower-case ASCII text
 */
export function observableId(type: string, contributing: Readonly<Record<string, unknown>>): string {
  // RFC 8785 asks for sorted names, of which there is one on each level here, and for nothing else in such text.
  return `${type}--${uuidV5(OBSERVABLES, JSON.stringify(contributing))}`;
}

/** Gives the id of another object, from what makes it one of a kind. The same names give the same id. */
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
