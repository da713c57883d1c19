/** Names that public DNS never has: RFC 2606, RFC 6761, RFC 6762, RFC 8375, RFC 9476, and ICANN for `internal`. */
const RESERVED = new Map([
  ...reserve('example', 'are reserved for documentation, so they lead to no page on the internet'),
  ...reserve('test', 'are reserved for tests, so they lead to no page on the internet'),
  ...reserve('invalid alt', 'are reserved, so they lead to no page on the internet'),
  ...reserve(
    'local internal intranet private lan home corp home.arpa',
    'exist only in a local network, whose pages the model does not know',
  ),
  ...reserve('onion', 'lead into the Tor network, whose pages the model does not know'),
]);

function reserve(names: string, clause: string): [string, string][] {
  return names.split(' ').map((name) => [name, `names that end in .${name} ${clause}`]);
}

/** Returns a clause on what a reserved name is for; undefined for all others, which may be on the internet. */
export function whyReserved(host: string): string | undefined {
  const labels = host.split('.');
  return RESERVED.get(labels.slice(-2).join('.')) ?? RESERVED.get(labels.at(-1) ?? '');
}
