import type { Clause, ReservedUse } from '../../wording/clause.ts';

/** Names that public DNS never has: RFC 2606, RFC 6761, RFC 6762, RFC 8375, RFC 9476, and ICANN for `internal`. */
const RESERVED: ReadonlyMap<string, Clause> = new Map([
  ...reserve('example', 'documentation'),
  ...reserve('test', 'tests'),
  ...reserve('invalid alt', 'other'),
  ...reserve('local internal intranet private lan home corp home.arpa', 'local'),
  ...reserve('onion', 'tor'),
]);

function reserve(names: string, use: ReservedUse): [string, Clause][] {
  return names.split(' ').map((name) => [name, { code: 'reserved', name, use }]);
}

/** Returns a clause on what a reserved name is for; undefined for all others, which may be on the internet. */
export function whyReserved(host: string): Clause | undefined {
  const labels = host.split('.');
  return RESERVED.get(labels.slice(-2).join('.')) ?? RESERVED.get(labels.at(-1) ?? '');
}
