/** Columns that `tps verify` compares, by what it compares them with; and columns that it does not, by the reason. */
export interface TableCoverage<Column extends string = string> {
  readonly compared: Readonly<Record<string, readonly Column[]>>;
  readonly notCompared: Readonly<Record<string, readonly Column[]>>;
}

/** Describes what is not compared, one line per table and reason. */
export function describeGaps(coverage: Readonly<Record<string, TableCoverage>>): string[] {
  return Object.entries(coverage).flatMap(([table, { notCompared }]) =>
    Object.entries(notCompared).map(([reason, columns]) => `${table}: ${columns.join(', ')} (${reason})`),
  );
}
