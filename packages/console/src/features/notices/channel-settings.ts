import type { NoticeChannel, NoticeChannelChange } from '@tps/client';
import { DEFAULT_NOTICES_PER_HOUR, NOTICE_TOPICS, WEEKDAYS } from '@tps/contract/vocabulary';

type QuietHours = NonNullable<NoticeChannel['quiet_hours']>;

/** The settings of a channel except its URL, which can contain a secret: drafts are stored. */
export interface ChannelSettings {
  readonly kind: NoticeChannel['kind'];
  readonly name: string;
  readonly address: string;
  readonly topics: readonly string[];
  readonly minSeverity: NoticeChannel['min_severity'];
  readonly maxPerHour: number;
  readonly isQuiet: boolean;
  readonly quiet: QuietSettings;
}

export interface QuietSettings {
  readonly timeZone: string;
  readonly days: readonly string[];
  readonly from: string;
  readonly until: string;
  readonly breakThrough: Severity | 'none';
}

type Severity = NoticeChannel['min_severity'];

export function newSettings(): ChannelSettings {
  return {
    kind: 'email',
    name: '',
    address: '',
    topics: [...NOTICE_TOPICS],
    minSeverity: 'high',
    maxPerHour: DEFAULT_NOTICES_PER_HOUR,
    isQuiet: false,
    quiet: toQuietSettings(null),
  };
}

export function settingsOf(channel: NoticeChannel): ChannelSettings {
  return {
    kind: channel.kind,
    name: channel.name,
    address: channel.address ?? '',
    topics: channel.topics,
    minSeverity: channel.min_severity,
    maxPerHour: channel.max_per_hour,
    isQuiet: channel.quiet_hours !== null,
    quiet: toQuietSettings(channel.quiet_hours),
  };
}

function toQuietSettings(hours: QuietHours | null): QuietSettings {
  if (hours === null) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return { timeZone, days: [...WEEKDAYS], from: '22:00', until: '07:00', breakThrough: 'critical' };
  }
  const { time_zone: timeZone, break_through: breakThrough, ...times } = hours;
  return { timeZone, ...times, breakThrough: breakThrough ?? 'none' };
}

/** Maps the settings that all kinds of channels share to the API. */
export function toChange(settings: ChannelSettings) {
  const { name, topics, minSeverity, maxPerHour, isQuiet, quiet } = settings;
  const { timeZone, days, from, until, breakThrough } = quiet;
  return {
    name: name.trim(),
    topics: NOTICE_TOPICS.filter((topic) => topics.includes(topic)),
    min_severity: minSeverity,
    max_per_hour: maxPerHour,
    quiet_hours: isQuiet
      ? {
          time_zone: timeZone.trim(),
          days: WEEKDAYS.filter((day) => days.includes(day)),
          from,
          until,
          break_through: breakThrough === 'none' ? null : breakThrough,
        }
      : null,
  } satisfies NoticeChannelChange;
}

/** Whether the required fields are filled. The service reports all other problems. */
export function isComplete(settings: ChannelSettings, url: string | undefined): boolean {
  const { kind, name, address, topics, isQuiet, quiet } = settings;
  const destination = kind === 'email' ? address : url;
  return (
    name.trim() !== '' &&
    destination?.trim() !== '' &&
    topics.length > 0 &&
    (!isQuiet || (quiet.days.length > 0 && quiet.from !== '' && quiet.until !== ''))
  );
}

const KINDS: Readonly<Record<NoticeChannel['kind'], string>> = {
  email: 'Mail',
  slack: 'Slack',
  webhook: 'Webhook',
};

export function kindText({ kind }: Pick<NoticeChannel, 'kind'>): string {
  return KINDS[kind];
}

/** Where notices are sent. The service returns only the origin of a URL. */
export function destinationText({ address, url_origin: origin }: NoticeChannel): string {
  return address ?? origin ?? '';
}

export function topicsText({ topics }: Pick<NoticeChannel, 'topics'>): string {
  return topics.join(', ');
}

export function quietText(hours: QuietHours | null): string {
  if (hours === null) return 'None';
  const { days, from, until, time_zone: zone, break_through: breakThrough = 'critical' } = hours;
  const which = days.length === WEEKDAYS.length ? 'every day' : days.join(', ');
  const rest =
    breakThrough === null
      ? 'Nothing is sent'
      : `Only ${breakThrough}${breakThrough === 'critical' ? '' : ' or higher'} is sent`;
  return `${from} to ${until} (${zone}), ${which}. ${rest}.`;
}
