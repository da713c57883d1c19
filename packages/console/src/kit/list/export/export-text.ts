import type { ColumnDefinition } from '../list-definition.ts';

export type ExportFormat = 'csv' | 'ndjson';

/**
 * A spreadsheet runs a cell that begins with one of these signs as a formula, in some languages also in full width (OWASP: CSV
 * injection). Some programs drop spaces and invisible characters before it.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Without it, Excel reads a file in the code page of the system and not as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** Returns the beginning of a file: for CSV the names of the columns. NDJSON has none. */
export function exportHead<Item>(format: ExportFormat, columns: readonly ColumnDefinition<Item>[]): string {
  return format === 'csv'
    ? `${BYTE_ORDER_MARK}${columns.map(({ header }) => toCsvCell(header)).join(',')}\r\n`
    : '';
}

/** Returns the lines of items: CSV with the shown columns (RFC 4180), or each item as the API returns it. */
export function exportLines<Item>(
  format: ExportFormat,
  columns: readonly ColumnDefinition<Item>[],
  items: readonly Item[],
): string {
  if (format === 'ndjson') return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return items.map((item) => `${columns.map(({ value }) => toCsvCell(value(item))).join(',')}\r\n`).join('');
}

/**
 * Returns a value as a cell that no spreadsheet runs: an apostrophe precedes what looks like a formula. Every cell is
 * quoted, because in some languages spreadsheets split at semicolons, and Excel takes a file that begins with ID for
 * another format.
 */
export function toCsvCell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Returns the name of a file: `incidents-2026-03-02T09-15-04Z.csv`. */
export function exportName(noun: string, format: ExportFormat, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${noun.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${time}Z.${format}`;
}
