import type { CommandContext } from '../command-context.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';
import type { Format } from './format.ts';
import { type Palette, paintState } from './palette.ts';
import { sanitizeLine, toSafeJson } from './sanitize.ts';
import { type Column, fitWidths, layOut, widen } from './table.ts';

/** Number of rows that are laid out together: a list of any length then takes little memory. */
const ROWS_AT_ONCE = 200;
const DEFAULT_LIMIT = 50;

/** Where and in which format a command prints. */
export interface Printer {
  readonly context: Pick<CommandContext, 'stdout' | 'stderr'>;
  readonly format: Format;
  /** Colors for the standard output. */
  readonly palette: Palette;
}

/** Options of a command that prints a list. */
export interface ListSize {
  readonly limit?: number;
  readonly all?: true;
}

/** Returns the maximum number of items to print. Default: 50, and all with --ndjson. */
export function toLimit({ format }: Pick<Printer, 'format'>, { limit, all }: ListSize): number {
  if (limit !== undefined) return limit;
  return all || format === 'ndjson' ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT;
}

/** Prints one line. Text of the service must be sanitized before. */
export function printLine({ context }: Printer, text: string): Promise<void> {
  return context.stdout.write(`${text}\n`);
}

/** Prints one JSON document. */
export function printDocument({ context, format }: Printer, value: unknown): Promise<void> {
  return context.stdout.write(`${toSafeJson(value, format === 'json' ? 2 : undefined)}\n`);
}

/** Reports a completed action: as a sentence, or as a document with --json or --ndjson. */
export function printDone(printer: Printer, sentence: string, document: object): Promise<void> {
  return printer.format === 'table' ? printLine(printer, sentence) : printDocument(printer, document);
}

/** Prints a list in the requested format while it is read, and reports when it has more items than `limit`. */
export async function printList<Item>(
  printer: Printer,
  items: AsyncIterable<Item>,
  { columns, limit }: { readonly columns: readonly Column<Item>[]; readonly limit: number },
): Promise<void> {
  const { context, format } = printer;
  const list = takeUpTo(items, limit);
  if (format === 'table') await printRows(printer, list.items, columns);
  else if (format === 'json') await printArray(printer, list.items);
  else for await (const item of list.items) await printDocument(printer, item);
  if (list.hasMore() && format !== 'ndjson') {
    await context.stderr.write(`Only the first ${limit} are shown. Use --limit or --all to see more.\n`);
  }
}

/** Prints one item: one field per line, or as a document. */
export async function printFields(
  printer: Printer,
  value: unknown,
  fields: readonly (readonly [name: string, text: string | number | null | undefined])[],
): Promise<void> {
  if (printer.format !== 'table') return printDocument(printer, value);
  const shown = fields.filter(([, text]) => text !== null && text !== undefined && text !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  for (const [name, text] of shown) {
    const shownText = sanitizeLine(String(text));
    const painted = STATES.has(name) ? paintState(printer.palette, shownText) : shownText;
    await printLine(printer, `${printer.palette.dim(name.padEnd(width))}${painted}`);
  }
}

/**
 * Prints an item with a secret that cannot be shown again.
 *
 * @param onLost undoes what created the secret, or returns what to do, as the message of the error
 * @throws CommandError when nothing can be printed
 */
export async function printSecret(
  printer: Printer,
  item: { readonly value: unknown; readonly fields: Parameters<typeof printFields>[2] },
  onLost: () => Promise<string>,
): Promise<void> {
  try {
    await printFields(printer, item.value, item.fields);
  } catch (cause) {
    throw new CommandError(await onLost(), { code: 'closed_output', exitCode: EXIT.failure, cause });
  }
}

/** Names of the fields with a severity or a status, which are colored. */
const STATES: ReadonlySet<string> = new Set(['severity', 'status', 'action', 'verdict', 'last delivery']);

async function printArray<Item>(printer: Printer, items: AsyncIterable<Item>): Promise<void> {
  const { stdout } = printer.context;
  let count = 0;
  for await (const item of items) {
    await stdout.write(`${count === 0 ? '[' : ','}\n${toSafeJson(item)}`);
    count += 1;
  }
  await stdout.write(count === 0 ? '[]\n' : '\n]\n');
}

async function printRows<Item>(
  printer: Printer,
  items: AsyncIterable<Item>,
  columns: readonly Column<Item>[],
): Promise<void> {
  const { context, palette } = printer;
  let widths: number[] | undefined;
  let rows: string[][] = [];
  const flush = async () => {
    const withHeadings = widths === undefined;
    const available = context.stdout.columns;
    widths = widths ? widen(widths, columns, { rows, available }) : fitWidths(columns, rows, available);
    await context.stdout.write(layOut({ columns, rows, widths, palette, withHeadings }));
    rows = [];
  };
  for await (const item of items) {
    rows.push(columns.map(({ of }) => sanitizeLine(of(item))));
    if (rows.length === ROWS_AT_ONCE) await flush();
  }
  if (rows.length > 0) await flush();
  else if (widths === undefined) await context.stderr.write('No results.\n');
}

function takeUpTo<Item>(items: AsyncIterable<Item>, limit: number) {
  let hasMore = false;
  async function* taken(): AsyncGenerator<Item> {
    let count = 0;
    for await (const item of items) {
      if (count === limit) {
        hasMore = true;
        return;
      }
      count += 1;
      yield item;
    }
  }
  return { items: taken(), hasMore: () => hasMore };
}
