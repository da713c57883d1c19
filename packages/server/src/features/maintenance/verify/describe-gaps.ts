import { TABLE_NAMES, TABLES, type TableName, type Verification } from '../../../database/tables/index.ts';

/** Columns that `tps verify` compares, by what it compares them with; and columns that it does not, by the reason. */
export interface TableCoverage {
  readonly compared: Readonly<Record<string, readonly string[]>>;
  readonly notCompared: Readonly<Record<string, readonly string[]>>;
}

export function coverageOf(table: TableName): TableCoverage {
  const { columns, verify } = TABLES[table];
  const { compared = {}, notCompared = {} }: Verification<string> = verify;
  if (typeof notCompared !== 'string') return { compared, notCompared };
  const covered = new Set<string>(Object.values(compared).flat());
  return {
    compared,
    notCompared: { [notCompared]: Object.keys(columns).filter((column) => !covered.has(column)) },
  };
}

/** Describes what is not compared, one line per table and reason, and of which tables a missing row is not noticed. */
export function describeGaps(): string[] {
  const columns = TABLE_NAMES.flatMap((table) =>
    Object.entries(coverageOf(table).notCompared).map(
      ([reason, names]) => `${table}: ${names.join(', ')} (${reason})`,
    ),
  );
  const unnoticed = new Map<string, TableName[]>();
  for (const table of TABLE_NAMES) {
    const reason = TABLES[table].verify.missingRows;
    if (reason !== undefined) unnoticed.set(reason, [...(unnoticed.get(reason) ?? []), table]);
  }
  const rows = [...unnoticed].map(([reason, tables]) => `missing rows of ${tables.join(', ')} (${reason})`);
  return [...columns, ...rows];
}
