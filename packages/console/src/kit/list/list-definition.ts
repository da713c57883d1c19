import type { Client, Page } from '@tps/client';
import type { ReactNode } from 'react';

/** The query of a list, with the names and values of the API. */
export type ListQuery = Readonly<Record<string, string>>;

/** What a list shows and what can be done with it. `ListPage` does the rest. */
export interface ListDefinition<Item> {
  /** `{ one: 'incident', many: 'incidents' }` */
  readonly noun: { readonly one: string; readonly many: string };
  /**
   * Begins the keys of the cache, and names what the browser keeps of the list. After a change,
   * `invalidateQueries({ queryKey: [queryKey] })` reads what is shown again.
   */
  readonly queryKey: string;
  /** Fetches a page: `(client, query, page) => client.incidents.list({ ...query, ...page }).page()`. */
  readonly read: (client: Client, query: ListQuery, page: PageRequest) => Promise<Page<Item>>;
  /** Fetches the counts, for the strip above the list and for the size of a selection. Without it, neither is shown. */
  readonly count?: (client: Client, query: ListQuery, options: CountRequest) => Promise<ListCounts>;
  /** Items on a page (default 100; the maximum of the API, except events with 500). */
  readonly pageSize?: number;
  readonly idOf: (item: Item) => string;
  /** Names an item for screen readers and notifications. */
  readonly titleOf: (item: Item) => string;
  /** The path of an item's page (default: that of its id). */
  readonly pathOf?: (item: Item) => string | undefined;
  readonly columns: readonly ColumnDefinition<Item>[];
  readonly filters: readonly FilterDefinition[];
  /** Filters that apply unless the address names them, such as `{ status: '!resolved,closed' }`. Each is a chip that can be removed. */
  readonly hiddenByDefault?: ListQuery;
  /** The views that the list brings along. People save more. A time such as `-24h` is counted back when the view is opened. */
  readonly views?: readonly BuiltInView[];
  /** Orders other than the list's own one. */
  readonly sorts?: readonly SortDefinition[];
  readonly bulk?: readonly BulkAction<Item>[];
  /** An item in full, shown beside the list at `?open=<id>`: the same component as on its page. */
  readonly detail?: (id: string) => ReactNode;
  /** Shown when there is nothing yet: what this list is for and what to do first. */
  readonly empty: ReactNode;
}

/** A named state of a list: `{ id: 'high', name: 'High, last 24 h', query: { severity: 'high,critical', since: '-24h' } }` */
interface BuiltInView {
  /** In the address, as `view`. */
  readonly id: string;
  readonly name: string;
  readonly query: ListQuery;
}

interface PageRequest {
  readonly cursor: string | null;
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface CountRequest {
  readonly interval?: CountInterval;
  readonly signal: AbortSignal;
}

export type CountInterval = 'minute' | 'hour' | 'day';

/** The answer of `GET /<list>/counts`. */
export interface ListCounts {
  readonly total: number;
  /** False when `total` is a lower bound. */
  readonly complete: boolean;
  readonly interval: CountInterval;
  readonly buckets: readonly { readonly start: string; readonly count: number }[];
}

export interface ColumnDefinition<Item> {
  readonly id: string;
  readonly header: string;
  /** The value as plain text: what is copied, exported, and shown unless there is a `cell`. */
  readonly value: (item: Item) => string;
  /** Rendered in a row that is one line high and cut off at the width of the column. */
  readonly cell?: (item: Item) => ReactNode;
  /** The query member by which the value can be filtered in and out. */
  readonly filter?: string;
  /** The value in that member, where it differs from `value`. Undefined: this item cannot be filtered by it. */
  readonly filterValue?: (item: Item) => string | undefined;
  /** In pixels. The column with `grows` also takes the space that is left. */
  readonly width: number;
  readonly grows?: boolean;
  readonly align?: 'end';
  /** The value of `sort` (from `sorts`) that a click on the header sets. */
  readonly sort?: string;
  readonly hiddenByDefault?: boolean;
  /** On a narrow screen a row is a card: `title` in its first line (one column), `mark` at the end of that line, `line` in the second. */
  readonly onCard?: 'title' | 'mark' | 'line';
}

interface SortDefinition {
  /** The value of the query member `sort`. */
  readonly value: string;
  /** `Highest severity first` */
  readonly label: string;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface FilterBase {
  /** The query member. */
  readonly name: string;
  readonly label: string;
}

/** One filter of a list. Except for `one-of` and `time-range`, each takes several values and can exclude them. */
export type FilterDefinition =
  | (FilterBase & { readonly kind: 'any-of'; readonly choices: readonly Choice[] })
  | (FilterBase & { readonly kind: 'id' /** `dev_…` */; readonly placeholder: string })
  | (FilterBase & { readonly kind: 'text'; readonly placeholder?: string })
  | (FilterBase & { readonly kind: 'one-of'; readonly choices: readonly Choice[] })
  /** `name` is the beginning of the range; `until` the query member of its end (default `until`). */
  | (FilterBase & { readonly kind: 'time-range'; readonly until?: string });

/** What a bulk action acts on: chosen items, or everything that matches a query. */
export type BulkTarget = { readonly ids: readonly string[] } | { readonly filter: ListQuery };

export interface BulkResult {
  readonly id: string;
  /** 200 when the item is as requested; otherwise the status of the error. */
  readonly status: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** What undoing the change of this item takes. */
  readonly previous?: unknown;
  readonly version?: number;
}

/** One answer of `POST /<list>/bulk`. */
export interface BulkChunk {
  readonly results: readonly BulkResult[];
  readonly next_cursor: string | null;
}

export interface BulkAction<Item, Input = unknown> {
  readonly id: string;
  /** `Resolve…` with a form, `Approve` without one. */
  readonly label: string;
  /** The scope that it takes. Without it, it is not shown. */
  readonly scope: string;
  readonly icon?: ReactNode;
  /** Also acts on the current row: the list's main act is `e`, the second one `a`. */
  readonly key?: string;
  readonly isDangerous?: boolean;
  /** Whether it can do something with an item. Default: with each. */
  readonly appliesTo?: (item: Item) => boolean;
  /** Asks for what the change needs. It calls `submit` once; without a form, `run` gets undefined. */
  readonly form?: (props: BulkFormProps<Input>) => ReactNode;
  /** Changes one chunk: the given ids (at most 100), or the items of a filter from `cursor` on. */
  readonly run: (client: Client, change: BulkChange<Input>) => Promise<BulkChunk>;
  /** Said when it is done: `{ one: 'incident resolved', many: 'incidents resolved' }`. */
  readonly done: { readonly one: string; readonly many: string };
  /**
   * Takes back the change of items that were changed, and returns what became of each that can be refused. With it, the
   * notification offers that for 10 s.
   */
  readonly undo?: (
    client: Client,
    results: readonly BulkResult[],
    signal: AbortSignal,
  ) => Promise<readonly BulkResult[]>;
}

export interface BulkChange<Input> {
  readonly target: BulkTarget;
  readonly input: Input;
  readonly cursor: string | null;
  readonly signal: AbortSignal;
}

interface BulkFormProps<Input> {
  readonly submit: (input: Input) => void;
  readonly cancel: () => void;
  /** How many items will change; undefined when it is not known. */
  readonly count: number | undefined;
}
