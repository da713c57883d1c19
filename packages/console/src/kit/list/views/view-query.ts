import { namesOfFilters, withoutList } from '../address/list-address.ts';
import type { FilterDefinition, ListQuery } from '../list-definition.ts';

type ListShape = { readonly filters: readonly FilterDefinition[] };

/** A time in a view that is counted back from the moment of opening: `-24h`, `-90m`, `-7d`. */
const AGE = /^-(\d{1,6})([mhd])$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads the query that a view keeps. */
export function parseViewQuery(query: string): ListQuery {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Returns the query of the address that a view stands for, with times instead of ages. Members that the list does not know are dropped. */
export function openedQuery({ filters }: ListShape, query: ListQuery, nowMs: number): ListQuery {
  const names = new Set([...namesOfFilters(filters), 'sort', 'columns']);
  const known = Object.entries(query).filter(([name, value]) => names.has(name) && value !== '');
  return Object.fromEntries(known.map(([name, value]) => [name, toTime(value, nowMs)]));
}

/** Returns the query that a view keeps of an address. With `keepsAge`, a beginning without an end stays as old as it is now. */
export function keptQuery(
  list: ListShape,
  search: ListQuery,
  { keepsAge, nowMs }: { keepsAge: boolean; nowMs: number },
): string {
  const others = withoutList(list, search);
  const ages = keepsAge ? namesOfAges(list, search) : [];
  const entries = Object.entries(search).filter(
    ([name, value]) => !Object.hasOwn(others, name) && name !== 'view' && name !== 'open' && value !== '',
  );
  const kept = entries.map(([name, value]): [string, string] =>
    ages.includes(name) ? [name, toAge(value, nowMs)] : [name, value],
  );
  return new URLSearchParams(kept).toString();
}

/** Returns the beginnings of ranges that have no end: `since` without `until`. */
export function namesOfAges({ filters }: ListShape, search: ListQuery): readonly string[] {
  return filters.flatMap((filter) =>
    filter.kind === 'time-range' && search[filter.name] && !search[filter.until ?? 'until']
      ? [filter.name]
      : [],
  );
}

/** Whether an address shows something else than a view stands for. A time that the view counts back is not compared. */
export function isChanged(list: ListShape, search: ListQuery, query: ListQuery): boolean {
  const now = parseViewQuery(keptQuery(list, search, { keepsAge: false, nowMs: 0 }));
  const names = new Set([...Object.keys(now), ...Object.keys(query).filter((name) => query[name] !== '')]);
  return [...names].some((name) => {
    const value = query[name];
    if (value !== undefined && AGE.test(value)) return now[name] === undefined;
    return now[name] !== value;
  });
}

function toTime(value: string, nowMs: number): string {
  const [, count, unit = ''] = AGE.exec(value) ?? [];
  const lengthMs = UNIT_MS[unit];
  if (count === undefined || lengthMs === undefined) return value;
  return new Date(nowMs - Number(count) * lengthMs).toISOString();
}

/** Rounds up to the largest unit that is exact to a tenth. */
function toAge(time: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(time);
  if (!(ageMs > 0)) return time;
  for (const unit of ['d', 'h'] as const) {
    const count = ageMs / (UNIT_MS[unit] ?? 1);
    if (count >= 1 && Math.abs(count - Math.round(count)) < 0.1) return `-${Math.round(count)}${unit}`;
  }
  return `-${Math.max(1, Math.ceil(ageMs / 60_000))}m`;
}
