/** Columns that `tps verify` compares, by what it compares them with; and columns that it does not, by the reason. */
export interface TableCoverage<Column extends string = string> {
  readonly compared: Readonly<Record<string, readonly Column[]>>;
  readonly notCompared: Readonly<Record<string, readonly Column[]>>;
}

/** Describes what is not compared, one line per table and reason, and of which tables a missing row is not noticed. */
export function describeGaps(
  coverage: Readonly<Record<string, TableCoverage>>,
  { unnoticed }: { unnoticed: Readonly<Record<string, readonly string[]>> },
): string[] {
  const columns = Object.entries(coverage).flatMap(([table, { notCompared }]) =>
    Object.entries(notCompared).map(([reason, names]) => `${table}: ${names.join(', ')} (${reason})`),
  );
  const rows = Object.entries(unnoticed).map(
    ([reason, tables]) => `missing rows of ${tables.join(', ')} (${reason})`,
  );
  return [...columns, ...rows];
}
