import type { Session } from '../session.ts';
import { paintState } from './palette.ts';
import { sanitizeLine, toSafeJson } from './sanitize.ts';
import { type Column, fitWidths, layOut, widen } from './table.ts';

/** As many rows are laid out at once: any list takes little memory then. */
const ROWS_AT_ONCE = 200;
const DEFAULT_LIMIT = 50;

/** How much of a list somebody wants. */
export interface ListSize {
  readonly limit?: number;
  readonly all?: true;
}

/** Tells how many items are printed at most: of a stream all, of anything else 50, unless somebody says otherwise. */
export function limitOf({ format }: Pick<Session, 'format'>, { limit, all }: ListSize): number {
  if (limit !== undefined) return limit;
  return all || format === 'ndjson' ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT;
}

/** Prints one line, of ours rather than of the service. */
export function printLine({ context }: Session, text: string): Promise<void> {
  return context.stdout.write(`${text}\n`);
}

/** Prints one document for programs. */
export function printDocument({ context, format }: Session, value: unknown): Promise<void> {
  return context.stdout.write(`${toSafeJson(value, format === 'json' ? 2 : undefined)}\n`);
}

/** Says that something is done: in a sentence of ours to people, as a document to programs. */
export function printDone(session: Session, sentence: string, document: object): Promise<void> {
  return session.format === 'table' ? printLine(session, sentence) : printDocument(session, document);
}

/** Prints a list in the format that was asked for, as it comes, and says so when it goes on. */
export async function printList<Item>(
  session: Session,
  items: AsyncIterable<Item>,
  { columns, limit }: { readonly columns: readonly Column<Item>[]; readonly limit: number },
): Promise<void> {
  const { context, format } = session;
  const list = takeAtMost(items, limit);
  if (format === 'table') await printRows(session, list.items, columns);
  else if (format === 'json') await printArray(session, list.items);
  else for await (const item of list.items) await printDocument(session, item);
  if (list.goesOn() && format !== 'ndjson') {
    await context.stderr.write(`These are the first ${limit}; --all or --limit shows more.\n`);
  }
}

/** Prints one thing: its fields below each other, or as a document. */
export async function printFields(
  session: Session,
  value: unknown,
  fields: readonly (readonly [name: string, text: string | number | null | undefined])[],
): Promise<void> {
  if (session.format !== 'table') return printDocument(session, value);
  const shown = fields.filter(([, text]) => text !== null && text !== undefined && text !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  for (const [name, text] of shown) {
    const shownText = sanitizeLine(String(text));
    const painted = STATES.has(name) ? paintState(session.palette, shownText) : shownText;
    await printLine(session, `${session.palette.dim(name.padEnd(width))}${painted}`);
  }
}

/** Names of fields that say how grave something is or how it stands. */
const STATES: ReadonlySet<string> = new Set(['severity', 'status', 'action', 'verdict', 'last delivery']);

async function printArray<Item>(session: Session, items: AsyncIterable<Item>): Promise<void> {
  const { stdout } = session.context;
  let count = 0;
  for await (const item of items) {
    await stdout.write(`${count === 0 ? '[' : ','}\n${toSafeJson(item)}`);
    count += 1;
  }
  await stdout.write(count === 0 ? '[]\n' : '\n]\n');
}

async function printRows<Item>(
  session: Session,
  items: AsyncIterable<Item>,
  columns: readonly Column<Item>[],
): Promise<void> {
  const { context, palette } = session;
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
  else if (widths === undefined) await context.stderr.write('There are none.\n');
}

function takeAtMost<Item>(items: AsyncIterable<Item>, limit: number) {
  let goesOn = false;
  async function* taken(): AsyncGenerator<Item> {
    let count = 0;
    for await (const item of items) {
      if (count === limit) {
        goesOn = true;
        return;
      }
      count += 1;
      yield item;
    }
  }
  return { items: taken(), goesOn: () => goesOn };
}
