import type { Client } from '@tps/client';
import type { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { type ListSize, limitOf, printList } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import { openSession } from '../session.ts';
import { examples } from './examples.ts';
import { wholeNumber } from './values.ts';

const MAX_LIMIT = 999_999_999;
const MAX_PAGE = 100;

/** A command that prints a list of the API. */
export interface ListCommand<Item, Query extends object> {
  readonly name?: string;
  readonly description: string;
  /** What the list belongs to, as `<name>` and what that is. */
  readonly of?: readonly [name: string, description: string];
  /** Their long names are the API's parameters, with hyphens for underscores. */
  readonly filters?: readonly Option[];
  readonly columns: readonly Column<Item>[];
  readonly examples: readonly string[];
  readonly list: (client: Client, query: Query, id: string) => AsyncIterable<Item>;
}

/** Adds a command that prints a list, with the options that all lists have. */
export function addListCommand<Item, Query extends object>(
  parent: Command,
  context: CommandContext,
  wanted: ListCommand<Item, Query>,
): Command {
  const list = parent.command(wanted.name ?? 'list').description(wanted.description);
  if (wanted.of) list.argument(...wanted.of);
  for (const filter of wanted.filters ?? []) list.addOption(filter);
  return list
    .option('--limit <number>', 'how many at most; 50 unless told otherwise', wholeNumber(1, MAX_LIMIT))
    .option('--all', 'all of them; --ndjson prints all unless there is a --limit')
    .addHelpText('after', examples(...wanted.examples))
    .action(async (...given: unknown[]) => {
      const session = openSession(context, list);
      const { limit: _limit, all: _all, ...filters } = list.opts<ListSize & Record<string, unknown>>();
      const limit = limitOf(session, list.opts<ListSize>());
      const query = {
        ...toQuery(filters),
        ...(await session.tenant()),
        limit: Math.min(limit + 1, MAX_PAGE),
      };
      const id = wanted.of ? String(given[0]) : '';
      const items = wanted.list(await session.client(), query as unknown as Query, id);
      await printList(session, items, { columns: wanted.columns, limit });
    });
}

/** Commander names options in camel case, the API its parameters in snake case. */
function toQuery(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
