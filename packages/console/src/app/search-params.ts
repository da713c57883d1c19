/** The query of an address, flat: the same names and values as in a query of the API. */
export type SearchParams = Readonly<Record<string, string>>;

/** Reads a query. A repeated name keeps its last value. */
export function parseSearch(search: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes a query, without members that are undefined or empty. `:`, `,` and `!` stay readable. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  if (entries.length === 0) return '';
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return `?${query.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%21', '!')}`;
}
