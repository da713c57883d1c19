/** Rows laid out for a statement: every row has a value, never `undefined`, for every column. */
export interface Batch {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Lays rows out by the columns of the first one.
 *
 * @throws TypeError for a row with other columns or an undefined value, which one engine would store as null and the other refuse.
 * @throws RangeError for a number that does not survive the way to the store and back.
 */
export function toBatch(rows: readonly object[]): Batch {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => toValues(row, columns)) };
}

function toValues(row: object, columns: readonly string[]): unknown[] {
  const named = row as Record<string, unknown>;
  if (Object.keys(row).length !== columns.length)
    throw new TypeError('The rows of a batch differ in their columns.');
  return columns.map((column) => {
    const value = named[column];
    if (value === undefined) throw new TypeError(`A row of a batch has no value for "${column}".`);
    if (typeof value === 'number' && !isExact(value))
      throw new RangeError(`"${column}" is not stored exactly: ${value}`);
    return value;
  });
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Makes one string of a row's key. Bytes count by content. */
export function keyOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (value instanceof Uint8Array ? { hex: toHex(value) } : value)));
}

/** Keeps, of rows with one key, the last, and orders them by key, so that two transactions take row locks in one order. */
export function toDistinctRows(batch: Batch, keyColumns: readonly string[]): Batch {
  const positions = keyColumns.map((column) => batch.columns.indexOf(column));
  const byKey = new Map(batch.rows.map((row) => [keyOf(positions.map((position) => row[position])), row]));
  const ordered = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1));
  return { columns: batch.columns, rows: ordered.map(([, row]) => row) };
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

/** Writes what becomes of a row whose key exists: its other columns are overwritten; with no other column nothing happens. */
export function onConflictOverwrite(columns: readonly string[], keyColumns: readonly string[]): string {
  const others = columns.filter((column) => !keyColumns.includes(column));
  if (others.length === 0) return onConflictIgnore(keyColumns);
  const assignments = others.map((column) => `${quoted(column)} = excluded.${quoted(column)}`);
  return `on conflict (${quotedList(keyColumns)}) do update set ${assignments.join(', ')}`;
}

export function onConflictIgnore(keyColumns: readonly string[]): string {
  return `on conflict (${quotedList(keyColumns)}) do nothing`;
}
