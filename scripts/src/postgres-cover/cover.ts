/** What one test file sent to PostgreSQL. */
export interface StatementRecord {
  readonly file: string;
  readonly durationMs: number;
  readonly statements: readonly string[];
}

const NO_QUERY = /^\s*(?!(?:select|insert|update|delete|with)\b)/i;

/** Returns statements that differ in more than values: numbers, texts, and the length of lists and batches. */
export function shapesOf(statements: readonly string[]): Set<string> {
  return new Set(statements.filter((text) => !NO_QUERY.test(text)).map(toShape));
}

function toShape(statement: string): string {
  return statement
    .replaceAll(/\$\d+/g, '?')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\b\d+\b/g, '0')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\(\?(?:, ?\?)*\)(?:, ?\(\?(?:, ?\?)*\))*/g, '(?)')
    .trim();
}

/** Returns statements that none of the chosen files sends, each with a file that does. */
export function findUncovered(
  records: readonly StatementRecord[],
  isChosen: (file: string) => boolean,
): Map<string, string> {
  const covered = new Set(
    records.filter(({ file }) => isChosen(file)).flatMap(({ statements }) => [...shapesOf(statements)]),
  );
  const uncovered = new Map<string, string>();
  for (const { file, statements } of records) {
    for (const shape of shapesOf(statements)) if (!covered.has(shape)) uncovered.set(shape, file);
  }
  return uncovered;
}

/** Chooses files, the ones with the most new statements per second first, until every statement is covered. */
export function chooseCover(
  records: readonly StatementRecord[],
  isChosen: (file: string) => boolean,
): string[] {
  const needed = [...findUncovered(records, isChosen).keys()];
  const left = new Set(needed);
  const shapes = records.map((record) => ({ ...record, shapes: shapesOf(record.statements) }));
  let chosen: typeof shapes = [];
  while (left.size > 0) {
    const [best] = shapes
      .map((record) => ({ record, gain: countIn(record.shapes, left) / (record.durationMs + 100) }))
      .toSorted((one, other) => other.gain - one.gain);
    if (!best) break;
    chosen.push(best.record);
    for (const shape of best.record.shapes) left.delete(shape);
  }
  // What was chosen later can contain all that an earlier file was chosen for.
  for (const record of chosen.toSorted((one, other) => other.durationMs - one.durationMs)) {
    const others = chosen.filter((one) => one !== record);
    if (needed.every((shape) => others.some((one) => one.shapes.has(shape)))) chosen = others;
  }
  return chosen.map(({ file }) => file).toSorted();
}

function countIn(shapes: ReadonlySet<string>, left: ReadonlySet<string>): number {
  return [...shapes].filter((shape) => left.has(shape)).length;
}
