import type { Client, Counts } from '@tps/client';
import type { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printDocument, printLine, printList } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { openSession } from '../session.ts';
import { examples } from './examples.ts';
import { toQuery } from './list-command.ts';
import { choice } from './values.ts';

/** A command that counts what a list finds. */
export interface CountsCommand<Query extends object> {
  readonly name?: string;
  /** What is counted, such as `incidents`. */
  readonly noun: string;
  /** Argument with the id of the parent, and its description. */
  readonly argument?: readonly [name: string, description: string];
  /** Those of the list. */
  readonly filters: readonly Option[];
  readonly examples: readonly string[];
  readonly counts: (client: Client, query: Query, id: string) => Promise<Counts>;
}

/** Adds a command that counts the items of a list over time. */
export function addCountsCommand<Query extends object>(
  parent: Command,
  context: CommandContext,
  spec: CountsCommand<Query>,
): Command {
  const command = parent.command(spec.name ?? 'counts').description(`count ${spec.noun} over time`);
  if (spec.argument) command.argument(...spec.argument);
  for (const filter of spec.filters) command.addOption(filter);
  return command
    .addOption(choice('--interval <interval>', 'length of a bucket (default: from the range)', INTERVALS))
    .addHelpText('after', examples(...spec.examples))
    .action(async (...given: unknown[]) => {
      const session = openSession(context, command);
      const query = { ...toQuery(command.opts()), ...(await session.tenant()) };
      const id = spec.argument ? String(given[0]) : '';
      const counts = await spec.counts(await session.client(), query as unknown as Query, id);
      if (session.format !== 'table') return printDocument(session, counts);
      await printList(session, listOf(counts.buckets), { columns: COLUMNS, limit: counts.buckets.length });
      const atLeast = counts.complete ? '' : ' at least';
      await printLine(session, `Total:${atLeast} ${counts.total}`);
    });
}

const INTERVALS: readonly Counts['interval'][] = ['minute', 'hour', 'day'];

const COLUMNS = [
  { heading: 'START', of: ({ start }: Counts['buckets'][number]) => toShortTime(start) },
  { heading: 'COUNT', of: ({ count }: Counts['buckets'][number]) => String(count) },
];

async function* listOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
