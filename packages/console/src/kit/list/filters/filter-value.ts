/** The value of a filter, in the form of the API: `high,critical` matches any of them, `!low` everything else. */
export interface FilterValue {
  readonly matches: 'any' | 'none';
  readonly values: readonly string[];
}

/** In place of a filter that a list sets by default: everything, also what the list hides. The API does not know it. */
export const EVERYTHING = '*';

/** Parses the text of a filter. A `\` precedes a `,`, `!` or `\` in a value. */
export function parseFilter(text: string): FilterValue {
  const isNegated = text.startsWith('!');
  const values = [...text.slice(isNegated ? 1 : 0).matchAll(/(?:[^,\\]|\\.)+/gs)].map(([value]) =>
    value.replaceAll(/\\(.)/gs, '$1'),
  );
  return { matches: isNegated ? 'none' : 'any', values };
}

/** Writes a filter; undefined when it has no values. */
export function formatFilter({ matches, values }: FilterValue): string | undefined {
  if (values.length === 0) return undefined;
  const list = values.map((value) => value.replaceAll(/[,!\\]/g, '\\$&')).join(',');
  return matches === 'none' ? `!${list}` : list;
}

/** Narrows a filter to one value. */
export function filterIn(value: string): string | undefined {
  return formatFilter({ matches: 'any', values: [value] });
}

/** Takes one value out of what a filter matches. */
export function filterOut(text: string | undefined, value: string): string | undefined {
  const { matches, values } = parseFilter(text ?? '');
  const others = values.filter((one) => one !== value);
  if (matches === 'any' && others.length > 0) return formatFilter({ matches: 'any', values: others });
  return formatFilter({ matches: 'none', values: matches === 'none' ? [...others, value] : [value] });
}
