import type { CheckedIndicator, Client, IndicatorSource } from '@tps/client';
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
import { runOperatorCommand } from './operator-commands.ts';
import { requireConsent } from './require-consent.ts';
import { anyOf, choice, INDICATOR_TYPES, THREAT_CATEGORIES } from './values.ts';

const VALIDITIES = ['current', 'upcoming', 'expired'] as const;

export function addIndicatorCommands(program: Command, context: CommandContext): void {
  const indicators = addGroup(
    program,
    'indicators',
    'import, list and remove indicators of compromise',
    'tps indicators import ioc.yaml --source stalkerware-indicators --replace',
    'tps indicators sources',
  );
  addIndicatorImport(indicators, context);
  addListCommand(indicators, context, {
    description: "list indicators: the tenant's own, then the global ones",
    filters: [
      new Option('--source <name>', 'only indicators of this source'),
      anyOf('--type <type>', 'only indicators of this type', INDICATOR_TYPES),
      anyOf('--category <category>', 'only indicators of this category', THREAT_CATEGORIES),
      anyOf('--validity <validity>', 'only indicators that apply now, later or no longer', VALIDITIES),
      new Option('--value <text>', 'only indicators whose value begins with this text'),
    ],
    list: (client, query: Parameters<Client['indicators']['list']>[0]) => client.indicators.list(query),
    columns: [
      { heading: 'TYPE', of: (indicator) => indicator.type },
      { heading: 'VALUE', of: (indicator) => indicator.value, mayShrink: true },
      { heading: 'SOURCE', of: (indicator) => indicator.source },
      { heading: 'SCOPE', of: (indicator) => indicator.scope },
      { heading: 'THREAT TYPE', of: (indicator) => indicator.threat_type },
      { heading: 'CONFIDENCE', of: (indicator) => String(indicator.confidence) },
      { heading: 'EXPIRES', of: (indicator) => toShortTime(indicator.valid_until ?? null) || 'never' },
    ],
    examples: [
      'tps indicators list',
      'tps indicators list --source own-list --type domain --all',
      'tps indicators list --value parcel',
    ],
  });
  addSources(indicators, context);
  addCheck(indicators, context);
  addRemove(indicators, context);
  addIndicatorBundle(indicators, context);
  addRenewKey(indicators, context);
}

function addSources(indicators: Command, context: CommandContext): void {
  indicators
    .command('sources')
    .description('list the sources with their number of indicators and last change')
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

function addCheck(indicators: Command, context: CommandContext): void {
  indicators
    .command('check')
    .description('show what values are, and which sources list exactly these values')
    .argument('<values...>', 'domains, addresses, links, hashes or package names')
    .addOption(choice('--type <type>', 'type of the values', INDICATOR_TYPES))
    .addHelpText('after', examples("tps indicators check 'hxxps://parcel-desk[.]example/pay'"))
    .action(async (values: string[], { type }: Pick<RemoveFlags, 'type'>, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const indicators = values.map((value) => ({ value, ...(type === undefined ? {} : { type }) }));
      const { results } = await client.indicators.check({ indicators, ...tenant });
      await printList(session, inTurn(results), {
        columns: [
          { heading: 'TYPE', of: (one: CheckedIndicator) => one.type ?? '' },
          { heading: 'VALUE', of: (one) => one.value ?? '', mayShrink: true },
          { heading: 'SOURCES', of: (one) => one.known.map(({ source }) => source).join(', ') },
          { heading: 'PROBLEM', of: (one) => one.problem ?? '', mayShrink: true },
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
    .description('remove all indicators of a source, or one of them')
    .requiredOption('--source <name>', 'name of the source')
    .addOption(choice('--type <type>', 'type of the indicator to remove', INDICATOR_TYPES))
    .option('--value <value>', 'value of the indicator to remove')
    .option('--global', 'remove global indicators from the store, as the operator')
    .option('--yes', 'do not ask for confirmation')
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
      if ((type === undefined) !== (value === undefined))
        throw usageError('--type and --value must be used together.');
      const what = type === undefined ? `All indicators of ${source}` : `The ${type} of ${source}`;
      if (type === undefined && !flags.yes) await requireConsent(context, `${what} will be removed`);
      const one = type === undefined || value === undefined ? {} : { type, value };
      if (flags.global) return runOperatorCommand(context, toOperatorArguments(flags, context, command));
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
    'indicators',
    'remove',
    '--source',
    source,
    ...(type === undefined || value === undefined ? [] : ['--type', type, '--value', value]),
    ...(json || ndjson ? ['--json'] : []),
  ];
}

function addRenewKey(indicators: Command, context: CommandContext): void {
  indicators
    .command('renew-key')
    .description('create a new signing key for bundles in the store, as the operator')
    .addHelpText(
      'after',
      `
Restart the service afterwards. Devices that trust the old key need the new public key.
${examples('tps indicators renew-key')}`,
    )
    .action((_options: object, command: Command) => {
      const { json, ndjson } = programOptions(context, command);
      return runOperatorCommand(context, ['indicators', 'renew-key', ...(json || ndjson ? ['--json'] : [])]);
    });
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
