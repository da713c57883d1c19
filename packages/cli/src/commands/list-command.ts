import type { Client } from '@tps/client';
import type { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { type ListSize, printList, toLimit } from '../output/print.ts';
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
  /** Argument with the id of the parent, and its description. */
  readonly argument?: readonly [name: string, description: string];
  /** Named like the parameters of the API, with hyphens for underscores. */
  readonly filters?: readonly Option[];
  readonly columns: readonly Column<Item>[];
  readonly examples: readonly string[];
  readonly list: (client: Client, query: Query, id: string) => AsyncIterable<Item>;
}

/** Adds a command that prints a list, with the options of all lists. */
export function addListCommand<Item, Query extends object>(
  parent: Command,
  context: CommandContext,
  spec: ListCommand<Item, Query>,
): Command {
  const list = parent.command(spec.name ?? 'list').description(spec.description);
  if (spec.argument) list.argument(...spec.argument);
  for (const filter of spec.filters ?? []) list.addOption(filter);
  return list
    .option(
      '--limit <number>',
      'maximum number of items (default: 50, with --ndjson all)',
      wholeNumber(1, MAX_LIMIT),
    )
    .option('--all', 'print all items')
    .addHelpText('after', examples(...spec.examples))
    .action(async (...given: unknown[]) => {
      const session = openSession(context, list);
      const { limit: _limit, all: _all, ...filters } = list.opts<ListSize & Record<string, unknown>>();
      const limit = toLimit(session, list.opts<ListSize>());
      const query = {
        ...toQuery(filters),
        ...(await session.tenant()),
        limit: Math.min(limit + 1, MAX_PAGE),
      };
      const id = spec.argument ? String(given[0]) : '';
      const items = spec.list(await session.client(), query as unknown as Query, id);
      await printList(session, items, { columns: spec.columns, limit });
    });
}

/** Converts the camel case of commander's options to the snake case of the API's parameters. */
export function toQuery(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
