import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, Severity, stringEnum, Timestamp, timestampOf } from '../schema/values.ts';
import { NOTICE_CAUSES, NOTICE_STATES } from '../schema/vocabulary.ts';

export const NoticeCause = stringEnum(
  NOTICE_CAUSES,
  'What it reports. `digest`: several notices in one message; `test`: it was requested.',
);
export type NoticeCause = Static<typeof NoticeCause>;

export const NoticeState = stringEnum(
  NOTICE_STATES,
  '`waiting`: until `due_at`, for quiet hours, the limit per hour or the next attempt; `sending`: an attempt is under way; `sent`: the mail server or receiver has accepted it; `in_digest`: it is part of the digest `digest_id`; `failed`: it was given up.',
);
export type NoticeState = Static<typeof NoticeState>;

export const Notice = closed(
  {
    notice_id: idOf('notice'),
    tenant_id: idOf('tenant'),
    channel_id: idOf('notice_channel'),
    cause: NoticeCause,
    severity: Severity,
    resource_id: nullable(Type.String({ description: 'ID of the incident, if it is about one.' })),
    message: Type.String({ description: 'What happened.' }),
    happened_at: Timestamp,
    state: NoticeState,
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    due_at: nullable(timestampOf('When the next attempt is due; null if there is none.')),
    last_error: nullable(Type.String({ description: 'Short reason why the last attempt failed.' })),
    digest_id: nullable(idOf('notice', 'ID of the digest that it is part of.')),
    created_at: Timestamp,
    sent_at: nullable(Timestamp),
  },
  { $id: 'Notice', description: 'A message to one channel about one cause.' },
);
export type Notice = Static<typeof Notice>;

/** Response of POST /notice-channels/{id}/test. */
export const TestNotice = closed(
  { notice_id: idOf('notice'), channel_id: idOf('notice_channel') },
  { $id: 'TestNotice', description: 'The notice to look for in GET /notices.' },
);
export type TestNotice = Static<typeof TestNotice>;
