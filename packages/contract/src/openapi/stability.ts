/** The nouns of the API that its specification labels as a prototype, as first segments of paths. */
const PROTOTYPES: ReadonlySet<string> = new Set([
  'incidents',
  'jobs',
  'traces',
  'artifacts',
  'tokens',
  'guidance',
]);

/** How a document marks an operation that is not part of the final public contract. */
export const PROTOTYPE = {
  sentence: 'Prototype: usable, but not part of a final public contract.',
  member: { 'x-stability': 'prototype' },
} as const;

/** Returns whether the operation at a path is a prototype. */
export function isPrototype(path: string): boolean {
  return PROTOTYPES.has(path.split('/')[1] ?? '');
}
