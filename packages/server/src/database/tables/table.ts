import type { HoldingKind } from '@tps/contract';

/** What a column holds, on both engines. */
interface Values {
  text: string;
  json: string;
  integer: number;
  real: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** 0 or 1. */
  flag: number;
  bytes: Uint8Array;
  /** Encrypted by `SecretBox`. */
  sealed: Uint8Array;
}
type Kind = keyof Values;
type ColumnKind = Kind | `${Kind} or null`;

type ValueOf<K extends ColumnKind> = K extends `${infer Known extends Kind} or null`
  ? Values[Known] | null
  : K extends Kind
    ? Values[K]
    : never;

/** A row of a table with these columns. */
export type RowOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends ColumnKind ? ValueOf<Columns[Name]> : never;
};

/** What happens to rows when the authority of their creator ends. */
type CreatorRule =
  /** They act later on that authority, so they are holdings, and end with it. */
  | { readonly holdings: readonly HoldingKind[] }
  /** They are access, and what ends the access removes or revokes them. */
  | { readonly access: string }
  /** They stay, because they act for no one. */
  | { readonly stays: string };

export const DATA_OF_TENANT: CreatorRule = {
  stays: 'data of the tenant, which each member with the scope can change or remove',
};
export const OF_ACCOUNT: CreatorRule = { access: 'belongs to the account, and ends with it' };
export const HISTORY: CreatorRule = { stays: 'a record of what happened' };

// Why `tps verify` does not compare a column, or does not notice that a row is missing.
export const CHANGEABLE = 'operators or people change it, and nothing repeats it';
export const PASSING = 'it changes all the time and nothing repeats it';
export const SHORT_LIVED = 'it is short-lived and nothing repeats it';
export const WITH_INCIDENT = 'people change it together with incidents';
export const ONLY_HERE = 'nothing else repeats it';

/** What `tps verify` does with a table. */
export interface Verification<Column extends string> {
  /** The columns that it compares, by what it compares them with. Default: none. */
  readonly compared?: Readonly<Record<string, readonly Column[]>>;
  /** Why it does not compare the others: one reason for all, or the columns by reason. Default: it compares all. */
  readonly notCompared?: string | Readonly<Record<string, readonly Column[]>>;
  /** Why it does not notice that a row is missing. Default: it does. */
  readonly missingRows?: string;
}

/** All that the rest of the service has to know about a table. */
export interface TableDeclaration<Columns extends Readonly<Record<string, ColumnKind>>> {
  /** The columns of the primary key, in their order. */
  readonly key: readonly (keyof Columns & string)[];
  readonly columns: Columns;
  readonly verify: Verification<keyof Columns & string>;
  /** Absent if no person or program creates the rows. */
  readonly creator?: CreatorRule;
}

/** Declares a table. Its migrations create it. */
export function table<const Columns extends Readonly<Record<string, ColumnKind>>>(
  declaration: TableDeclaration<Columns>,
): TableDeclaration<Columns> {
  return declaration;
}

/** Names the feature that owns tables. */
export function tablesOf<Declared extends Readonly<Record<string, object>>>(
  owner: string,
  declared: Declared,
): { readonly [Name in keyof Declared]: Declared[Name] & { readonly owner: string } } {
  const owned = Object.entries(declared).map(([name, declaration]) => [name, { owner, ...declaration }]);
  return Object.fromEntries(owned) as { [Name in keyof Declared]: Declared[Name] & { owner: string } };
}
