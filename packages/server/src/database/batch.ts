/** Rows prepared for a statement: every row has a value, never `undefined`, for every column. */
export interface Batch {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The texts of batch statements by operation, table and columns: building one can take longer than running it for one row. */
export type BatchTexts = Map<string, string>;

/**
 * Orders the values of each row by the columns of the first row.
 *
 * @throws TypeError for a row with other columns or an undefined value: one engine would store null, the other would fail
 * @throws RangeError for a number that the store would not return exactly
 */
export function toBatch(rows: readonly object[]): Batch {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => toValues(row, columns)) };
}

function toValues(row: object, columns: readonly string[]): unknown[] {
  const named = row as Record<string, unknown>;
  if (Object.keys(row).length !== columns.length)
    throw new TypeError('The rows of a batch differ in their columns.');
  const values: unknown[] = [];
  for (const column of columns) {
    const value = named[column];
    if (value === undefined) throw new TypeError(`A row of a batch has no value for "${column}".`);
    if (typeof value === 'number' && !isExact(value))
      throw new RangeError(`"${column}" is not stored exactly: ${value}`);
    values.push(value);
  }
  return values;
}

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/** Returns a row's key as one string. Bytes compare by content. */
export function keyOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (value instanceof Uint8Array ? { hex: toHex(value) } : value)));
}

/** Keeps the last of several rows with one key and sorts by key, so that two transactions lock rows in the same order. */
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

/** Returns the conflict clause: overwrites the other columns of an existing row, or does nothing if there are none. */
export function onConflictOverwrite(columns: readonly string[], keyColumns: readonly string[]): string {
  const others = columns.filter((column) => !keyColumns.includes(column));
  if (others.length === 0) return onConflictIgnore(keyColumns);
  const assignments = others.map((column) => `${quoted(column)} = excluded.${quoted(column)}`);
  return `on conflict (${quotedList(keyColumns)}) do update set ${assignments.join(', ')}`;
}

/** Returns the conflict clause that adds to the other columns of an existing row. */
export function onConflictAdd(
  table: string,
  columns: readonly string[],
  keyColumns: readonly string[],
): string {
  const sums = columns
    .filter((column) => !keyColumns.includes(column))
    .map((column) => `${quoted(column)} = ${quoted(table)}.${quoted(column)} + excluded.${quoted(column)}`);
  return `on conflict (${quotedList(keyColumns)}) do update set ${sums.join(', ')}`;
}

export function onConflictIgnore(keyColumns: readonly string[]): string {
  return `on conflict (${quotedList(keyColumns)}) do nothing`;
}
