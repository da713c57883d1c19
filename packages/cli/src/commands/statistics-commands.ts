import type { Client, Statistics, StatisticsSeries } from '@tps/client';
import { countOf } from '@tps/contract/vocabulary';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printDocument, printList } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { openSession, programOptions } from '../session.ts';
import { addGroup } from './api-command.ts';
import { examples } from './examples.ts';
import { runOperatorCommand } from './operator-commands.ts';
import { choice, toTime } from './values.ts';

type Query = NonNullable<Parameters<Client['statistics']['get']>[0]>;
type Flags = Pick<Query, 'since' | 'until' | 'interval' | 'measures' | 'breakdown'>;

const BARS = '▁▂▃▄▅▆▇█';
const TREND_WIDTH = 40;

/** Adds `tps statistics`. Two of its commands work on the store, as the operator. */
export function addStatisticsCommands(program: Command, context: CommandContext): void {
  const statistics = addGroup(
    program,
    'statistics',
    'read counts of events, alerts, incidents, deliveries and scans over time',
    'tps statistics show',
  );
  addShow(statistics, context);
  for (const [name, description] of [
    ['rebuild', 'count again from what is stored, as the operator'],
    ['service', 'show the day counts of the whole service older than 24 months, as the operator'],
  ] as const) {
    statistics
      .command(name)
      .description(description)
      .addHelpText('after', examples(`tps statistics ${name}`))
      .action((_options: object, command: Command) => {
        const { json, ndjson, tenant } = programOptions(context, command);
        const flags = [
          ...(json || ndjson ? ['--json'] : []),
          ...(tenant && name === 'rebuild' ? ['--tenant', tenant] : []),
        ];
        return runOperatorCommand(context, ['statistics', name, ...flags]);
      });
  }
}

function addShow(statistics: Command, context: CommandContext): void {
  statistics
    .command('show', { isDefault: true })
    .description('show what was counted, with its trend; --json has the count of each hour or day')
    .addOption(
      new Option('--since <time>', 'start, RFC 3339 or relative, such as 30d (default: 7d)').argParser(
        toTime,
      ),
    )
    .addOption(new Option('--until <time>', 'end, RFC 3339 or relative (default: now)').argParser(toTime))
    .addOption(choice('--interval <interval>', 'length of a bucket', ['hour', 'day']))
    .addOption(
      new Option('--measures <list>', 'only these measures, such as events,alerts').argParser(toList),
    )
    .addOption(
      new Option(
        '--breakdown <list>',
        'divide by category, action, severity, platform or verdict; comma-separated',
      ).argParser(toList),
    )
    .addHelpText(
      'after',
      examples(
        'tps statistics',
        'tps statistics show --since 30d --measures events --breakdown category',
        'tps statistics show --interval hour --since 24h --json',
      ),
    )
    .action(async (flags: Flags, command: Command) => {
      const session = openSession(context, command);
      const query = { ...flags, ...(await session.tenant()) };
      const counts = await (await session.client()).statistics.get(query);
      if (session.format !== 'table') return printDocument(session, counts);
      await printList(session, inTurn(counts.series), {
        limit: Number.POSITIVE_INFINITY,
        columns: [
          { heading: 'MEASURE', of: ({ measure }) => measure },
          { heading: 'KEY', of: ({ key }) => key ?? '' },
          { heading: 'TOTAL', of: toTotal },
          { heading: 'TREND', of: ({ values }) => toTrend(values) },
        ],
      });
      await context.stderr.write(describe(counts));
    });
}

/** Describes what the table does not show. */
function describe({ since, until, interval, time_to_acknowledge, time_to_resolve }: Statistics): string {
  const times = [
    ['acknowledge', time_to_acknowledge],
    ['resolve', time_to_resolve],
  ] as const;
  const lines = times.flatMap(([what, durations]) =>
    durations && durations.count > 0
      ? [
          `Time to ${what}: half within ${toPeriod(durations.p50_s)}, 90% within ${toPeriod(durations.p90_s)}.`,
        ]
      : [],
  );
  const range = `${toShortTime(since)} to ${toShortTime(until)}, per ${interval}.`;
  return `${[range, ...lines].join('\n')}\n`;
}

/** A device can be in several buckets, so the largest number of a bucket is shown. */
function toTotal({ total, values }: StatisticsSeries): string {
  return total === null ? `max ${Math.max(0, ...values)}` : String(total);
}

/** Draws the values as bars, neighbouring ones summed so that they fit. */
function toTrend(values: readonly number[]): string {
  const perBar = Math.ceil(values.length / TREND_WIDTH);
  const bars = Array.from({ length: Math.ceil(values.length / perBar) }, (_, index) =>
    values.slice(index * perBar, (index + 1) * perBar).reduce((sum, value) => sum + value, 0),
  );
  const most = Math.max(1, ...bars);
  return bars.map((bar) => BARS[Math.ceil((bar / most) * (BARS.length - 1))]).join('');
}

function toPeriod(seconds: number | null): string {
  if (seconds === null) return '-';
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return countOf(Math.round(seconds / 86_400), 'day');
}

function toList(text: string): string {
  if (/^[a-z_]+(,[a-z_]+)*$/.test(text)) return text;
  throw new InvalidArgumentError('Use names separated by commas, without spaces.');
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
