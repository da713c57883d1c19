import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp, timestampOf } from '../schema/values.ts';
import { DATA_RECORD_KINDS, EXPORT_DAYS } from '../schema/vocabulary.ts';

export const DataSubject = closed(
  {
    device_id: Type.Optional(idOf('device')),
    indicator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'An indicator as events hold it, such as `url:sha256:…`. A link is hashed as in events. Phone numbers and e-mail addresses are never part of events, so nothing can be found by them.',
      }),
    ),
  },
  { $id: 'DataSubject', description: 'Whom the request is about: exactly one of the members.' },
);
export type DataSubject = Static<typeof DataSubject>;

const DataRequestKind = stringEnum(
  ['export', 'deletion'],
  '`export`: the records can be read. `deletion`: they are deleted permanently.',
);

const RecordKind = stringEnum(DATA_RECORD_KINDS, 'Kind of record. New ones may be added.');

export const NewDataRequest = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    kind: DataRequestKind,
    subject: DataSubject,
    confirm: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'For a deletion: the value of the subject again, exactly, as a confirmation.',
      }),
    ),
  },
  { $id: 'NewDataRequest', description: 'A request to export or delete what is kept about a subject.' },
);
export type NewDataRequest = Static<typeof NewDataRequest>;

export const DataRequest = closed(
  {
    request_id: idOf('data_request'),
    tenant_id: idOf('tenant'),
    kind: DataRequestKind,
    status: stringEnum(
      ['running', 'completed', 'expired'],
      `\`running\`: the service searches or deletes. \`completed\`: all of it is counted or deleted. \`expired\`: an export whose records can be read no longer.`,
    ),
    subject_type: stringEnum(['device_id', 'indicator'], 'What the subject is.'),
    subject: nullable(
      Type.String({
        description: 'Its value. `null` after a deletion, and after an export has expired: it is not kept.',
      }),
    ),
    records: Type.Array(
      closed({
        kind: RecordKind,
        count: Type.Integer({ minimum: 1, description: 'How many were found or deleted so far.' }),
      }),
      { description: 'Counts by kind of record. Kinds without any are left out.' },
    ),
    proof: nullable(
      Type.String({
        description:
          'After a deletion: lower-case hex SHA-256 over the lines `<position> <event_hash>` of the erased events, in order, each ended by a line feed. The audit log repeats it.',
      }),
    ),
    created_at: Timestamp,
    created_by: closed({ type: Type.String(), id: Type.String() }),
    completed_at: nullable(Timestamp),
    expires_at: nullable(
      timestampOf(`Until when the records of an export can be read: ${EXPORT_DAYS} days after it completed.`),
    ),
  },
  { $id: 'DataRequest', description: 'A request about the data of a device or a person.' },
);
export type DataRequest = Static<typeof DataRequest>;

export const DataRecord = closed(
  {
    kind: RecordKind,
    record: Type.Object(
      {},
      { additionalProperties: true, description: 'The record as it is stored. An event is the event.' },
    ),
  },
  { $id: 'DataRecord', description: 'A record about the subject.' },
);
export type DataRecord = Static<typeof DataRecord>;

export const ErasedEvent = closed(
  {
    position: Type.Integer({ minimum: 1, description: 'Its place in the feed.' }),
    received_at: Timestamp,
    event_hash: Type.String({
      description: 'Lower-case hex SHA-256 of its text, the RFC 8785 form that the feed and webhooks sent.',
    }),
    chain_hash: Type.String({ description: 'Lower-case hex hash of the chain of the feed at this place.' }),
  },
  { $id: 'ErasedEvent', description: 'What is left of an erased event: its place in the hash chain.' },
);
export type ErasedEvent = Static<typeof ErasedEvent>;
