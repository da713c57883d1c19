import type { Client, IndicatorSource } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printDone, printList } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { programOptions } from '../session.ts';
import { addGroup, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addIndicatorBundle } from './indicator-bundle-command.ts';
import { addIndicatorImport } from './indicator-import-command.ts';
import { addListCommand } from './list-command.ts';
import { handOver } from './operator-commands.ts';
import { choice, INDICATOR_TYPES, THREAT_CATEGORIES } from './values.ts';

export function addIndicatorCommands(program: Command, context: CommandContext): void {
  const indicators = addGroup(
    program,
    'indicators',
    'look after what gives threats away: import, list and remove it',
    'tps indicators import ioc.yaml --source stalkerware-indicators --replace',
    'tps indicators sources',
  );
  addIndicatorImport(indicators, context);
  addListCommand(indicators, context, {
    description: "list indicators: the tenant's own, then those for all tenants",
    filters: [
      new Option('--source <name>', 'of this source'),
      choice('--type <type>', 'of this type', INDICATOR_TYPES),
      choice('--category <category>', 'of this category', THREAT_CATEGORIES),
    ],
    list: (client, query: Parameters<Client['indicators']['list']>[0]) => client.indicators.list(query),
    columns: [
      { heading: 'TYPE', of: (indicator) => indicator.type },
      { heading: 'VALUE', of: (indicator) => indicator.value, mayShrink: true },
      { heading: 'SOURCE', of: (indicator) => indicator.source },
      { heading: 'SCOPE', of: (indicator) => indicator.scope },
      { heading: 'KIND', of: (indicator) => indicator.threat_type },
      { heading: 'SURE', of: (indicator) => String(indicator.confidence) },
      { heading: 'UNTIL', of: (indicator) => toShortTime(indicator.valid_until ?? null) || 'open' },
    ],
    examples: ['tps indicators list', 'tps indicators list --source own-list --type domain --all'],
  });
  addSources(indicators, context);
  addRemove(indicators, context);
  addIndicatorBundle(indicators, context);
  addRenewKey(indicators, context);
}

function addSources(indicators: Command, context: CommandContext): void {
  indicators
    .command('sources')
    .description('list where indicators come from, how many, and when they last changed')
    .addHelpText('after', examples('tps indicators sources', 'tps indicators sources --json'))
    .action(async (_options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const { data } = await client.indicators.sources(tenant);
      await printList(session, inTurn(data), {
        columns: [
          { heading: 'SOURCE', of: (source: IndicatorSource) => source.source },
          { heading: 'SCOPE', of: (source) => source.scope },
          { heading: 'INDICATORS', of: (source) => String(source.indicators) },
          { heading: 'CHANGED', of: (source) => toShortTime(source.updated_at) },
        ],
        limit: Number.POSITIVE_INFINITY,
      });
    });
}

interface RemoveFlags {
  readonly source: string;
  readonly type?: (typeof INDICATOR_TYPES)[number];
  readonly value?: string;
  readonly global?: true;
  readonly yes?: true;
}

function addRemove(indicators: Command, context: CommandContext): void {
  indicators
    .command('remove')
    .description('remove all that a source has, or one of its indicators')
    .requiredOption('--source <name>', 'whose')
    .addOption(choice('--type <type>', 'of one indicator: what it is', INDICATOR_TYPES))
    .option('--value <value>', 'of one indicator: its value')
    .option('--global', 'what holds for all tenants; removed from the store itself, as the operator')
    .option('--yes', 'ask nothing')
    .addHelpText(
      'after',
      examples(
        'tps indicators remove --source own-list --type domain --value parcel-desk.example',
        'tps indicators remove --source own-list --yes',
        'tps indicators remove --source stalkerware-indicators --global --yes',
      ),
    )
    .action(async (flags: RemoveFlags, command: Command) => {
      const { source, type, value } = flags;
      if ((type === undefined) !== (value === undefined)) throw usageError('--type and --value go together.');
      const what = type === undefined ? `All indicators of ${source}` : `The ${type} of ${source}`;
      if (type === undefined && !flags.yes) await requireConsent(context, what);
      const one = type === undefined || value === undefined ? {} : { type, value };
      if (flags.global) return handOver(context, toOperatorArguments(flags, context, command));
      const { client, session, tenant } = await openCall(context, command);
      await client.indicators.remove({ source, ...one, ...tenant });
      const removed = type === undefined ? 'are removed' : 'is removed';
      await printDone(session, `${what} ${removed}.`, { source, ...one, removed: true });
    });
}

function toOperatorArguments(
  { source, type, value }: RemoveFlags,
  context: CommandContext,
  command: Command,
): string[] {
  const { json, ndjson } = programOptions(context, command);
  return [
    ...['indicators', 'remove', '--source', source],
    ...(type === undefined || value === undefined ? [] : ['--type', type, '--value', value]),
    ...(json || ndjson ? ['--json'] : []),
  ];
}

/** @throws CommandError unless somebody at a terminal agrees */
async function requireConsent({ stdin, stderr }: CommandContext, what: string): Promise<void> {
  if (!stdin.isTTY || !stderr.isTerminal) {
    throw usageError(`${what} would be removed. Where nobody can be asked, say so with --yes.`);
  }
  const { confirm } = await import('@clack/prompts');
  const isAgreed = await confirm({ message: `${what} will be removed. Go on?`, initialValue: false });
  if (isAgreed !== true) throw usageError('Nothing was changed.');
}

function addRenewKey(indicators: Command, context: CommandContext): void {
  indicators
    .command('renew-key')
    .description('make a new key that bundles are signed with, in the store itself, as the operator')
    .addHelpText(
      'after',
      `
Start the service anew afterwards. Devices that trust the key before have to be told of the new one.
${examples('tps indicators renew-key')}`,
    )
    .action((_options: object, command: Command) => {
      const { json, ndjson } = programOptions(context, command);
      return handOver(context, ['indicators', 'renew-key', ...(json || ndjson ? ['--json'] : [])]);
    });
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
