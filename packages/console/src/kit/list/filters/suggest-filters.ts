import type { FilterChange } from '../address/list-address.ts';
import type { FilterDefinition, ListQuery } from '../list-definition.ts';
import { formatFilter, parseFilter } from './filter-value.ts';
import { TIME_PRESETS } from './time-range.ts';

/** What the reader can choose while typing into the filter field. */
export interface Suggestion {
  /** Unique among the suggestions. */
  readonly key: string;
  /** `Severity` */
  readonly label: string;
  /** `is not` */
  readonly relation: string;
  /** `High`; undefined for a filter whose values are shown next. */
  readonly value: string | undefined;
  /** What choosing it changes. Undefined: the field shows the values of `filter` next. */
  readonly change: FilterChange | undefined;
  readonly filter: FilterDefinition;
}

const MAX_SUGGESTIONS = 12;

/**
 * Returns suggestions for a text: the filters by name, their choices, and the text itself as an id or a text. `!high` and
 * `not high` exclude; `severity:high` and `severity: high` are for one filter.
 */
export function suggestFilters(
  definitions: readonly FilterDefinition[],
  active: ListQuery,
  text: string,
): readonly Suggestion[] {
  const { name, isNegated, words } = parseInput(text);
  const meant =
    name === undefined ? definitions : definitions.filter(({ label }) => label.toLowerCase() === name);
  const shown = meant.length === 0 ? definitions : meant;
  const names = name === undefined && !isNegated ? namesFor(definitions, words) : [];
  const values =
    words === '' && name === undefined
      ? []
      : shown.flatMap((filter) => valuesFor(filter, { active, isNegated, words }));
  return [...names, ...values].slice(0, MAX_SUGGESTIONS);
}

interface Input {
  readonly name: string | undefined;
  readonly isNegated: boolean;
  readonly words: string;
}

function parseInput(text: string): Input {
  const {
    name,
    not,
    words = '',
  } = /^\s*(?:(?<name>[^:]{1,40}):\s*)?(?<not>!|not\s)?\s*(?<words>.*?)\s*$/is.exec(text)?.groups ?? {};
  return { name: name?.trim().toLowerCase(), isNegated: not !== undefined, words };
}

function namesFor(definitions: readonly FilterDefinition[], words: string): readonly Suggestion[] {
  return definitions
    .filter(({ label }) => label.toLowerCase().includes(words.toLowerCase()))
    .map((filter) => ({
      key: filter.name,
      label: filter.label,
      relation: '',
      value: undefined,
      change: undefined,
      filter,
    }));
}

interface ValueSearch {
  readonly active: ListQuery;
  readonly isNegated: boolean;
  readonly words: string;
}

function valuesFor(
  filter: FilterDefinition,
  { active, isNegated, words }: ValueSearch,
): readonly Suggestion[] {
  const suggestion = (value: string, change: FilterChange, suffix: string): Suggestion => ({
    key: `${filter.name}:${suffix}`,
    label: filter.label,
    relation: isNegated ? 'is not' : 'is',
    value,
    change,
    filter,
  });
  switch (filter.kind) {
    case 'any-of':
      return matching(filter.choices, words).map(({ value, label }) =>
        suggestion(label, { [filter.name]: withValue(active[filter.name], value, isNegated) }, value),
      );
    case 'one-of':
      return isNegated
        ? []
        : matching(filter.choices, words).map(({ value, label }) =>
            suggestion(label, { [filter.name]: value }, value),
          );
    case 'time-range':
      return matching(TIME_PRESETS, words).map(({ value, label }) =>
        suggestion(label, { [filter.name]: value, [filter.until ?? 'until']: undefined }, value),
      );
    case 'id':
    case 'text': {
      const isLikely =
        filter.kind === 'text' || words.startsWith(filter.placeholder.replace(/[_…].*$/s, '_'));
      if (words === '' || !isLikely) return [];
      return [suggestion(words, { [filter.name]: withValue(active[filter.name], words, isNegated) }, 'text')];
    }
  }
}

function matching<Choice extends { readonly label: string; readonly value: string }>(
  choices: readonly Choice[],
  words: string,
): readonly Choice[] {
  const wanted = words.toLowerCase();
  return choices.filter(
    ({ label, value }) => label.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted),
  );
}

/** Adds a value to a filter of the same direction, or begins the filter again with it. */
function withValue(text: string | undefined, value: string, isNegated: boolean): string | undefined {
  const matches = isNegated ? 'none' : 'any';
  const now = parseFilter(text ?? '');
  const values =
    text !== undefined && now.matches === matches ? now.values.filter((one) => one !== value) : [];
  return formatFilter({ matches, values: [...values, value] });
}
