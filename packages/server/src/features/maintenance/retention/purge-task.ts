import type { RawBuilder, SqlBool } from 'kysely';
import type { Tables } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

type TableName = keyof Tables & string;

/** The column values of a key, in order. */
export type Key = readonly (string | number)[];

/** The keys after `after`, or from the first if it is undefined, up to and including `until`. */
export interface Span {
  readonly after: Key | undefined;
  readonly until: Key;
}

/** The tenant whose rows are checked. Empty for the audit trail that belongs to no tenant. */
export type Owner = TenantId | '';

/** Rows by table. Tables without any are omitted. */
export type Counts = Readonly<Record<string, number>>;

/**
 * What to purge from one table. Its rows are checked in key order, one window at a time; expired rows are removed with
 * their children.
 */
export interface PurgeTask {
  readonly table: TableName;
  readonly owner: Owner;
  /** Further columns with a fixed value, besides the tenant. */
  readonly within: Readonly<Record<string, string>>;
  /** The remaining columns of an index that begins with the tenant and `within`. */
  readonly key: readonly string[];
  /** The first key that is too recent to have expired. Undefined where keys do not depend on age. */
  readonly bound: Key | undefined;
  /** Rows per window. */
  readonly window: number;
  /** The condition under which a row, aliased as `t`, has expired. */
  readonly expired: RawBuilder<SqlBool>;
  /** Tables whose rows are removed first. Only for a key of one column. */
  readonly children: readonly Child[];
  /** Whether the task changes the feed or data derived from it. If so, the feed head is locked first. */
  readonly locksFeed: boolean;
}

/** A table whose rows belong to a row of the task. */
export interface Child {
  readonly table: TableName;
  /** The column that refers to the parent row. */
  readonly parent: string;
  /** The remaining columns of an index that begins with the tenant and `parent`. */
  readonly key: readonly string[];
}

export function addCounts(one: Counts, other: Counts): Counts {
  const tables = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...tables].map((table) => [table, (one[table] ?? 0) + (other[table] ?? 0)]));
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Omits tables without rows. */
export function toCounts(entries: readonly (readonly [string, number])[]): Counts {
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}
