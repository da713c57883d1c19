import type { CheckedIndicator, Client, IndicatorImportResult, NewIndicator } from '@tps/client';
import type { Line } from './read-lines.ts';

const PER_REQUEST = 1000;

/** A line of a list, and what the service makes of it. */
export interface CheckedLine extends Line {
  readonly result: CheckedIndicator;
}

/** What a list says about all its values. */
export interface ListStatement {
  readonly source: string;
  readonly type: NewIndicator['type'] | undefined;
  readonly category: NewIndicator['category'];
  readonly threatType: string;
  readonly confidence: number;
  readonly validDays: number | undefined;
  readonly label: string;
  readonly replace: boolean;
}

export async function checkLines(
  client: Client,
  {
    lines,
    type,
    signal,
  }: { lines: readonly Line[]; type: NewIndicator['type'] | undefined; signal?: AbortSignal },
): Promise<CheckedLine[]> {
  const checked: CheckedLine[] = [];
  for (let at = 0; at < lines.length; at += PER_REQUEST) {
    const part = lines.slice(at, at + PER_REQUEST);
    const indicators = part.map(({ value }) => ({ value: value.slice(0, 4096), ...(type && { type }) }));
    const { results } = await client.indicators.check({ indicators }, { ...(signal && { signal }) });
    for (const [index, line] of part.entries()) {
      const result = results[index];
      if (result) checked.push({ ...line, result });
    }
  }
  return checked;
}

/** Imports the lines that can be indicators, in parts of one import. */
export async function importLines(
  client: Client,
  lines: readonly CheckedLine[],
  statement: ListStatement,
): Promise<Pick<IndicatorImportResult, 'added' | 'updated' | 'unchanged' | 'removed'>> {
  const indicators = lines.flatMap(({ result }) => toIndicator(result, statement));
  const totals = { added: 0, updated: 0, unchanged: 0, removed: 0 };
  let importId: string | undefined;
  for (let at = 0; at < indicators.length; at += PER_REQUEST) {
    const isLast = at + PER_REQUEST >= indicators.length;
    const result = await client.indicators.import({
      source: statement.source,
      indicators: indicators.slice(at, at + PER_REQUEST),
      ...(importId === undefined ? {} : { import_id: importId }),
      ...(isLast && statement.replace ? { replace: true } : {}),
    });
    importId = result.import_id;
    for (const name of ['added', 'updated', 'unchanged', 'removed'] as const) totals[name] += result[name];
  }
  return totals;
}

function toIndicator({ type, value }: CheckedIndicator, statement: ListStatement): NewIndicator[] {
  if (type === null || value === null) return [];
  const { category, threatType, confidence, validDays, label } = statement;
  return [
    {
      type,
      value,
      category,
      threat_type: threatType,
      confidence,
      ...(label.trim() === '' ? {} : { label: label.trim() }),
      ...(validDays === undefined
        ? {}
        : { valid_until: new Date(Date.now() + validDays * 86_400_000).toISOString() }),
    },
  ];
}
