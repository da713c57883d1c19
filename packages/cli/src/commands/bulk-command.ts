import type { Client, Counts } from '@tps/client';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { ExitError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDone, printList } from '../output/print.ts';
import { openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { requireConsent } from './require-consent.ts';

/** The result of one item, as every bulk operation of the API returns it. */
interface BulkResult {
  readonly id: string;
  readonly status: number;
  readonly error?: { readonly code: string; readonly message: string };
}

type Filter = Readonly<Record<string, string>>;

/** The items that a bulk command changes. */
type Selection = { readonly ids: string[] } | { readonly filter: Filter };

/** A command that changes many items of a list. */
export interface BulkCommand<Change extends object, Flags extends object> {
  readonly description: string;
  /** What is changed, such as `incidents`. */
  readonly noun: string;
  readonly changes: readonly Option[];
  readonly examples: readonly string[];
  /** Converts the options of `changes`. @throws CommandError when they are not enough */
  readonly toChange: (options: Flags) => Change;
  /** Whether the change cannot be undone: then the command asks also for named items. */
  readonly isFinal?: (change: Change) => boolean;
  readonly counts: (client: Client, filter: Filter) => Promise<Counts>;
  readonly run: (
    client: Client,
    request: Selection & { change: Change; tenant_id?: string },
  ) => AsyncIterable<BulkResult>;
}

/** Adds a command that changes the items with these ids, or those that match filters. */
export function addBulkCommand<Change extends object, Flags extends object>(
  parent: Command,
  context: CommandContext,
  spec: BulkCommand<Change, Flags>,
): void {
  const { noun } = spec;
  const bulk = parent
    .command('bulk')
    .description(spec.description)
    .argument('[ids...]', `ids of the ${noun}`);
  for (const option of spec.changes) bulk.addOption(option);
  bulk
    .option(
      '--filter <name=value>',
      `change the ${noun} that the list returns for this filter, instead of ids; can be repeated`,
      toFilter,
    )
    .option('--dry-run', `print how many ${noun} would be changed, and change nothing`)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', examples(...spec.examples))
    .action(async (ids: string[]) => {
      const { filter, dryRun, yes, ...options } = bulk.opts<BulkFlags>();
      if ((ids.length === 0) === (filter === undefined))
        throw usageError('Either ids or --filter is required.');
      const change = spec.toChange(options as Flags);
      const { client, session, tenant } = await openCall(context, bulk);
      const selection = filter === undefined ? { ids } : { filter };
      const matching = filter === undefined ? undefined : await spec.counts(client, { ...filter, ...tenant });
      const { total: count, complete } = matching ?? { total: ids.length, complete: true };
      const what = `${complete ? '' : 'At least '}${count} ${noun}`;
      if (dryRun) return printDone(session, `${what} would be changed.`, { count, complete, changed: false });
      if (!yes && (filter !== undefined || spec.isFinal?.(change))) {
        await requireConsent(context, `${what} will be changed`);
      }
      const tally = { done: 0, refused: 0 };
      const results = inParts(selection, (part) => spec.run(client, { ...part, change, ...tenant }));
      await printList(session, counted(results, tally), {
        limit: Number.POSITIVE_INFINITY,
        columns: [
          { heading: 'ID', of: ({ id }) => id },
          { heading: 'RESULT', of: ({ error }) => error?.code ?? 'done', isState: true },
          { heading: 'REASON', of: ({ error }) => error?.message ?? '', mayShrink: true },
        ],
      });
      if (tally.refused === 0) return;
      await context.stderr.write(`${tally.done} ${noun} are as requested, ${tally.refused} were refused.\n`);
      throw new ExitError(EXIT.failure);
    });
}

type BulkFlags = { filter?: Filter; dryRun?: true; yes?: true } & Record<string, unknown>;

/** The most items that one request names. */
const MAX_IDS = 100;

async function* inParts(
  selection: Selection,
  run: (part: Selection) => AsyncIterable<BulkResult>,
): AsyncGenerator<BulkResult> {
  if ('filter' in selection) {
    yield* run(selection);
    return;
  }
  for (let from = 0; from < selection.ids.length; from += MAX_IDS) {
    yield* run({ ids: selection.ids.slice(from, from + MAX_IDS) });
  }
}

async function* counted(
  results: AsyncIterable<BulkResult>,
  tally: { done: number; refused: number },
): AsyncGenerator<BulkResult> {
  for await (const result of results) {
    if (result.error === undefined) tally.done += 1;
    else tally.refused += 1;
    yield result;
  }
}

function toFilter(text: string, previous: Filter = {}): Filter {
  const [, name, value] = /^([a-z_]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('Use a filter of the list, such as status=open.');
  }
  return { ...previous, [name]: value };
}
