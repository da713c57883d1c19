import { EVERYTHING } from '../filters/filter-value.ts';
import type { FilterDefinition, ListDefinition, ListQuery } from '../list-definition.ts';

/** The parts of a definition from which the state of a list follows. */
type ListShape = Pick<ListDefinition<never>, 'filters' | 'hiddenByDefault'>;

/** What the address says about a list. */
export interface ListState {
  /** What is sent to the API, without paging. */
  readonly query: ListQuery;
  /** The filters that apply, by query member: those of the address and those that the list sets by default. */
  readonly filters: ListQuery;
  /** The id of the item that is shown beside the list. */
  readonly open: string | undefined;
  /** The ids of the visible columns in their order; undefined for those of the list. */
  readonly columns: readonly string[] | undefined;
  readonly sort: string | undefined;
  /** Whether the address says nothing about the list, so that what the reader had last is restored. */
  readonly isBare: boolean;
}

/** Returns the query members of the filters of a list. */
export function namesOfFilters(filters: readonly FilterDefinition[]): readonly string[] {
  return filters.flatMap((filter) =>
    filter.kind === 'time-range' ? [filter.name, filter.until ?? 'until'] : [filter.name],
  );
}

/** Reads the state of a list from the query of the address. */
export function readListState({ filters, hiddenByDefault = {} }: ListShape, search: ListQuery): ListState {
  const names = namesOfFilters(filters);
  const set = pick({ ...hiddenByDefault, ...search }, names);
  const active = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== EVERYTHING));
  const sort = search.sort || undefined;
  return {
    query: { ...active, ...(sort !== undefined && { sort }) },
    filters: active,
    open: search.open || undefined,
    columns: search.columns?.split(',').filter(Boolean),
    sort,
    isBare: [...names, 'sort', 'columns', 'view'].every((name) => search[name] === undefined),
  };
}

/** A change of filters, by query member. Undefined removes the filter. */
export type FilterChange = Readonly<Record<string, string | undefined>>;

/** Returns the query of the address with other filters. Removing a filter that the list sets by default has to be written. */
export function withFilters(
  { hiddenByDefault = {} }: ListShape,
  search: ListQuery,
  change: FilterChange,
): ListQuery {
  const next: Record<string, string> = { ...search };
  for (const [name, value] of Object.entries(change)) {
    if (value !== undefined && value !== '' && value !== hiddenByDefault[name]) next[name] = value;
    else if (value === hiddenByDefault[name]) delete next[name];
    else if (hiddenByDefault[name] !== undefined) next[name] = EVERYTHING;
    else delete next[name];
  }
  return next;
}

/** Returns what of the query of the address the browser keeps for the next visit. */
export function keptOf({ filters }: ListShape, search: ListQuery): ListQuery {
  return pick(search, [...namesOfFilters(filters), 'sort']);
}

/** Returns the query of the address without anything about the list. */
export function withoutList({ filters }: ListShape, search: ListQuery): ListQuery {
  const names = new Set([...namesOfFilters(filters), 'sort', 'columns', 'view', 'open']);
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.has(name)));
}

function pick(values: ListQuery, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]] as const] : [])));
}
