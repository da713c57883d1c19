import type { FilterDefinition, ListQuery } from '../list-definition.ts';
import { parseFilter } from './filter-value.ts';
import { toTimeWords } from './time-range.ts';

/** One active filter, in words. */
export interface ActiveFilter {
  readonly definition: FilterDefinition;
  /** `is` or `is not`. */
  readonly relation: string;
  /** `High or Critical` */
  readonly words: string;
}

/** Returns the active filters in words, in the order of the definition. */
export function activeFilters(
  definitions: readonly FilterDefinition[],
  filters: ListQuery,
): readonly ActiveFilter[] {
  return definitions.flatMap((definition): readonly ActiveFilter[] => {
    if (definition.kind === 'time-range') {
      const since = filters[definition.name];
      const until = filters[definition.until ?? 'until'];
      if (since === undefined && until === undefined) return [];
      return [{ definition, relation: '', words: toTimeWords(since, until) }];
    }
    const text = filters[definition.name];
    if (text === undefined) return [];
    const { matches, values } = parseFilter(text);
    return [
      {
        definition,
        relation: matches === 'none' ? 'is not' : 'is',
        words: values.map((value) => labelOf(definition, value)).join(' or '),
      },
    ];
  });
}

/** Returns a value of a filter as people read it. */
function labelOf(definition: FilterDefinition, value: string): string {
  if (!('choices' in definition)) return value;
  return definition.choices.find((choice) => choice.value === value)?.label ?? value;
}
