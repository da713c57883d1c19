import type { RawBuilder, SqlBool } from 'kysely';
import type { Tables } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

type TableName = keyof Tables & string;

/** Values of the columns of a key, in order. */
export type Key = readonly (string | number)[];

/** Keys after `after`, from the first when there is none, up to `until`. */
export interface Span {
  readonly after: Key | undefined;
  readonly until: Key;
}

/** Whose rows are looked through. The trail of what concerns no tenant has an empty one. */
export type Owner = TenantId | '';

/** Rows by table. A table without any is left out. */
export type Counts = Readonly<Record<string, number>>;

/**
 * What is removed of one table: its rows are looked through in the order of their key, a window at a time, and those that
 * are outdated go, with what belongs to them.
 */
export interface PurgeTask {
  readonly table: TableName;
  readonly owner: Owner;
  /** Columns that have one value throughout, beside the tenant. */
  readonly within: Readonly<Record<string, string>>;
  /** The rest of an index that begins with the tenant and `within`. */
  readonly key: readonly string[];
  /** The first key that is young enough. Undefined where keys say nothing about age. */
  readonly bound: Key | undefined;
  /** Rows that a window holds. */
  readonly window: number;
  /** What makes a row, called `t`, outdated. */
  readonly expired: RawBuilder<SqlBool>;
  /** Tables whose rows go first. Only for a key of one column. */
  readonly children: readonly Child[];
  /** Whether this changes the feed or what is derived from it: then the end of the feed is locked first. */
  readonly locksFeed: boolean;
}

/** Rows that belong to one of the sweep's. */
export interface Child {
  readonly table: TableName;
  /** Names the row that it belongs to. */
  readonly parent: string;
  /** The rest of an index that begins with the tenant and `parent`. */
  readonly key: readonly string[];
}

export function addCounts(one: Counts, other: Counts): Counts {
  const tables = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...tables].map((table) => [table, (one[table] ?? 0) + (other[table] ?? 0)]));
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Leaves out the tables without any. */
export function toCounts(entries: readonly (readonly [string, number])[]): Counts {
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}
