import { type Static, Type } from 'typebox';
import { Email } from '../invitation/schema.ts';
import { idOf } from '../schema/identifiers.ts';
import { closed, DisplayName, nullable, Severity, stringEnum, Timestamp } from '../schema/values.ts';
import {
  DEFAULT_NOTICES_PER_HOUR,
  MAX_NOTICES_PER_HOUR,
  NOTICE_CHANNEL_KINDS,
  NOTICE_CHANNEL_STATUSES,
  NOTICE_TOPICS,
  WEEKDAYS,
} from '../schema/vocabulary.ts';

export const NoticeChannelKind = stringEnum(
  NOTICE_CHANNEL_KINDS,
  '`email`: a mail to `address`; `slack`: a message by the incoming webhook `url`; `webhook`: a signed POST to `url`.',
);
export type NoticeChannelKind = Static<typeof NoticeChannelKind>;

export const NoticeTopic = stringEnum(
  NOTICE_TOPICS,
  '`incidents`: incidents that are opened and resolved; `protection`: the protection status becomes degraded or unprotected, and recovers.',
);
export type NoticeTopic = Static<typeof NoticeTopic>;

export const NoticeChannelStatus = stringEnum(
  NOTICE_CHANNEL_STATUSES,
  'A `paused` channel gets no notices; those that wait for it are dropped.',
);
export type NoticeChannelStatus = Static<typeof NoticeChannelStatus>;

const TimeOfDay = (description: string) =>
  Type.String({ pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$', maxLength: 5, description });

export const QuietHours = closed(
  {
    time_zone: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$',
      minLength: 1,
      maxLength: 64,
      description: 'Name of a time zone of the IANA database, such as `Europe/Berlin`.',
    }),
    days: Type.Array(stringEnum(WEEKDAYS, 'Day of the week.'), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'Days on which the quiet hours begin.',
    }),
    from: TimeOfDay('When they begin, such as `22:00`.'),
    until: TimeOfDay(
      'When they end, such as `07:00`: on the next day if it is not after `from`, so that two equal times are 24 hours.',
    ),
    break_through: Type.Optional(
      Type.Unsafe<Severity | null>({
        ...nullable(Severity),
        default: 'critical',
        description: 'Notices of this severity or a higher one are sent all the same. Null: none are.',
      }),
    ),
  },
  {
    $id: 'QuietHours',
    description: 'When a channel is quiet. Its notices wait until the end and arrive as one digest.',
  },
);
export type QuietHours = Static<typeof QuietHours>;

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'URL of a `slack` or `webhook` channel: https, on a host whose addresses are all public or in a network that the operator has allowed. Stored encrypted, and never shown again.',
});

const ChannelSecret = Type.String({
  minLength: 16,
  maxLength: 256,
  pattern: '^[\\x21-\\x7e]+$',
  description:
    'Key of the signatures of a `webhook` channel, as for webhooks: 16 to 256 visible ASCII characters, or `whsec_` and padded Base64 of 24 to 64 bytes. Stored encrypted, and never shown again.',
});

const Topics = Type.Array(NoticeTopic, {
  minItems: 1,
  maxItems: NOTICE_TOPICS.length,
  uniqueItems: true,
  description: 'What the channel reports.',
});

const PerHour = Type.Integer({
  minimum: 1,
  maximum: MAX_NOTICES_PER_HOUR,
  description:
    'Maximum number of messages in any hour. What is more arrives in one digest as soon as the limit allows.',
});

export const NoticeChannel = closed(
  {
    channel_id: idOf('notice_channel'),
    tenant_id: idOf('tenant'),
    name: DisplayName,
    kind: NoticeChannelKind,
    address: nullable(Type.String({ description: 'Address of an `email` channel; otherwise null.' })),
    url_origin: nullable(
      Type.String({
        description:
          'Scheme, host and port of the URL; null for `email`. The rest of the URL may be a secret.',
      }),
    ),
    topics: Topics,
    min_severity: Severity,
    quiet_hours: nullable(QuietHours),
    max_per_hour: PerHour,
    status: NoticeChannelStatus,
    version: Type.Integer({ minimum: 1, description: 'Increases with each change. Also the ETag.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'NoticeChannel', description: 'Where the service sends notices of a tenant.' },
);
export type NoticeChannel = Static<typeof NoticeChannel>;

const MinSeverity = Type.Unsafe<Severity>({
  ...Severity,
  default: 'high',
  description: 'Only incidents of this severity or a higher one. A degraded status counts as `high`.',
});

export const NewNoticeChannel = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: DisplayName,
    kind: NoticeChannelKind,
    address: Type.Optional({ ...Email, description: 'Required for `email`, and only for it.' }),
    url: Type.Optional(Url),
    secret: Type.Optional(ChannelSecret),
    topics: Type.Optional({ ...Topics, default: [...NOTICE_TOPICS] }),
    min_severity: Type.Optional(MinSeverity),
    quiet_hours: Type.Optional(nullable(QuietHours)),
    max_per_hour: Type.Optional({ ...PerHour, default: DEFAULT_NOTICES_PER_HOUR }),
  },
  { $id: 'NewNoticeChannel', description: 'A channel to create.' },
);
export type NewNoticeChannel = Static<typeof NewNoticeChannel>;

export const NoticeChannelChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: Type.Optional(DisplayName),
    address: Type.Optional(Email),
    url: Type.Optional(Url),
    secret: Type.Optional(ChannelSecret),
    topics: Type.Optional(Topics),
    min_severity: Type.Optional(Severity),
    quiet_hours: Type.Optional(nullable(QuietHours)),
    max_per_hour: Type.Optional(PerHour),
    status: Type.Optional(NoticeChannelStatus),
  },
  {
    $id: 'NoticeChannelChange',
    minProperties: 1,
    description: 'Members to change; the others stay as they are. `quiet_hours` of null ends them.',
  },
);
export type NoticeChannelChange = Static<typeof NoticeChannelChange>;
