import type { NoticeChannel, NoticeChannelChange, QuietHours } from '@tps/client';
import { type Command, InvalidArgumentError } from 'commander';
import { usageError } from '../output/command-error.ts';
import { omitUndefined } from './api-command.ts';
import { choice, NOTICE_TOPICS, SEVERITIES, WEEKDAYS, wholeNumber, wordsOf } from './values.ts';

const MAX_PER_HOUR = 100;

/** Flags of a new channel and of a change. */
export interface ChannelFlags {
  readonly topics?: NoticeChannel['topics'];
  readonly minSeverity?: NoticeChannel['min_severity'];
  readonly maxPerHour?: number;
  /** False for `--no-quiet`. */
  readonly quiet?: Pick<QuietHours, 'from' | 'until'> | false;
  readonly quietDays?: QuietHours['days'];
  readonly timeZone?: string;
  readonly breakThrough?: NoticeChannel['min_severity'] | 'none';
}

/** Adds the options about what a channel reports and when. */
export function addChannelOptions(command: Command): Command {
  return command
    .option('--topics <topics>', 'incidents, protection or both, separated by commas', wordsOf(NOTICE_TOPICS))
    .addOption(choice('--min-severity <severity>', 'lowest severity that is reported', SEVERITIES))
    .option(
      '--max-per-hour <number>',
      'messages in any hour; more arrive as one digest',
      wholeNumber(1, MAX_PER_HOUR),
    )
    .option('--quiet <from-until>', 'quiet hours, such as 22:00-07:00', toHours)
    .option('--no-quiet', 'without quiet hours')
    .option(
      '--quiet-days <days>',
      'days on which they begin, such as mon,tue (default: all)',
      wordsOf(WEEKDAYS),
    )
    .option('--time-zone <name>', 'their time zone, such as Europe/Berlin (default: that of this machine)')
    .addOption(
      choice('--break-through <severity>', 'severity that they do not delay (default: critical)', [
        ...SEVERITIES,
        'none',
      ]),
    );
}

/** @throws CommandError for flags that contradict each other */
export function toChannelMembers(
  flags: ChannelFlags,
): Pick<NoticeChannelChange, 'topics' | 'min_severity' | 'max_per_hour' | 'quiet_hours'> {
  const { topics, minSeverity, maxPerHour } = flags;
  return omitUndefined({
    topics: topics && [...topics],
    min_severity: minSeverity,
    max_per_hour: maxPerHour,
    quiet_hours: toQuietHours(flags),
  });
}

function toQuietHours({
  quiet,
  quietDays,
  timeZone,
  breakThrough,
}: ChannelFlags): QuietHours | null | undefined {
  if (typeof quiet !== 'object') {
    const details = [quietDays, timeZone, breakThrough];
    if (details.some((each) => each !== undefined)) {
      throw usageError('--quiet-days, --time-zone and --break-through require --quiet.');
    }
    return quiet === false ? null : undefined;
  }
  return {
    ...quiet,
    time_zone: timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    days: [...(quietDays ?? WEEKDAYS)],
    ...(breakThrough === undefined ? {} : { break_through: breakThrough === 'none' ? null : breakThrough }),
  };
}

function toHours(text: string): Pick<QuietHours, 'from' | 'until'> {
  const [, from, until] = /^(\d{1,2}:\d\d)-(\d{1,2}:\d\d)$/.exec(text) ?? [];
  if (from === undefined || until === undefined)
    throw new InvalidArgumentError('Use two times of day, such as 22:00-07:00.');
  return { from: from.padStart(5, '0'), until: until.padStart(5, '0') };
}

/** Describes quiet hours in one line. */
export function describeQuietHours(quiet: NoticeChannel['quiet_hours']): string {
  if (quiet === null) return 'none';
  const { days, from, until, time_zone: zone, break_through: exempt } = quiet;
  const on = days.length === WEEKDAYS.length ? 'every day' : days.join(', ');
  return `${from}-${until} ${zone}, ${on}; not for ${exempt === null ? 'any severity' : `${exempt} and above`}`;
}
