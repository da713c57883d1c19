import type { DataRecordKind } from '@tps/contract/vocabulary';
import type { Tables } from '../../database/tables/index.ts';

/** What a deletion does with a record that names the subject. */
type RemovalKind =
  /** Deletes the row. */
  | 'row'
  /** Erases the event with its corrections, and counts again what was derived from them. */
  | 'event'
  /** Deletes those whose events are gone. */
  | 'alert'
  | 'threat'
  /** Deletes the row, and the incident if it has no other member. */
  | 'member'
  /** Deletes an incident about the subject. In another one, replaces the name. */
  | 'incident'
  /** Deletes what people wrote. In entries of the service, replaces the name. */
  | 'timeline'
  /** Replaces the name in the texts. */
  | 'redact'
  /** Deletes the whole job. */
  | 'job'
  /** Empties `cleared`. The row belongs to something else. */
  | 'clear';

/** A table with records that can be about a device or a person, and how they are found. */
export interface RecordSource {
  readonly kind: DataRecordKind;
  readonly table: keyof Tables & string;
  /** The columns of its key after the tenant. */
  readonly key: readonly string[];
  /** Holds the id of the device. */
  readonly deviceColumn?: string;
  /** Holds the id of the device or the correlation key of the indicator. */
  readonly keyColumn?: string;
  /** Texts that may name the subject. */
  readonly texts: readonly string[];
  /** Fewer rows at a time than in other tables: their texts are long. */
  readonly rowsPerWindow?: number;
  /** Also a row whose threat lists the indicator. */
  readonly isOfThreat?: true;
  readonly removal: RemovalKind;
  readonly cleared?: Readonly<Record<string, string | null>>;
  /** Left out of exports: secrets, and numbers that mean nothing to a person. */
  readonly hidden?: readonly string[];
}

/** Rows of up to 64 KB: a window of 1,000 held the event loop for 130 to 290 ms on SQLite, one of 20 for 3 to 8 ms. */
const WIDE_ROWS = 20;
/** An event can have 41 KB and a threat 52 KB, but hardly any has more than 1 KB. */
const ROWS_OF_DEVICES = 200;

/**
 * In the order of a deletion: the device first, so that nothing follows it; events before what is derived from them. The
 * audit log is not among them. ADR 39 lists all tables.
 */
export const RECORD_SOURCES: readonly RecordSource[] = [
  {
    kind: 'device',
    table: 'devices',
    key: ['device_id'],
    deviceColumn: 'device_id',
    texts: [],
    removal: 'row',
  },
  {
    kind: 'device_state',
    table: 'device_states',
    key: ['device_id'],
    deviceColumn: 'device_id',
    texts: [],
    removal: 'row',
  },
  {
    kind: 'credential',
    table: 'tokens',
    key: ['token_id'],
    deviceColumn: 'device_id',
    texts: [],
    removal: 'row',
    hidden: ['token_hash'],
  },
  {
    kind: 'nonce',
    table: 'request_nonces',
    key: ['bucket', 'nonce', 'device_id'],
    deviceColumn: 'device_id',
    texts: [],
    removal: 'row',
  },
  {
    kind: 'event',
    table: 'events',
    key: ['position'],
    deviceColumn: 'device_id',
    texts: ['body'],
    rowsPerWindow: ROWS_OF_DEVICES,
    removal: 'event',
  },
  {
    kind: 'alert',
    table: 'alerts',
    key: ['alert_id'],
    deviceColumn: 'device_id',
    texts: [],
    isOfThreat: true,
    removal: 'alert',
  },
  {
    kind: 'threat',
    table: 'threats',
    key: ['threat_id'],
    deviceColumn: 'device_id',
    texts: ['indicators', 'description'],
    rowsPerWindow: ROWS_OF_DEVICES,
    removal: 'threat',
  },
  {
    kind: 'sighting',
    table: 'sightings',
    key: ['correlation_key', 'device_id', 'threat_category'],
    deviceColumn: 'device_id',
    keyColumn: 'correlation_key',
    texts: [],
    removal: 'row',
  },
  {
    kind: 'incident_member',
    table: 'incident_members',
    key: ['incident_id', 'kind', 'member_id'],
    deviceColumn: 'member_id',
    texts: [],
    removal: 'member',
  },
  {
    kind: 'incident',
    table: 'incidents',
    key: ['incident_id'],
    keyColumn: 'correlation_key',
    texts: ['correlation_key', 'message', 'tags', 'assignee'],
    removal: 'incident',
  },
  {
    kind: 'timeline_entry',
    table: 'incident_timeline',
    key: ['incident_id', 'entry_id'],
    texts: ['message', 'comment'],
    removal: 'timeline',
  },
  {
    kind: 'delivery',
    table: 'deliveries',
    key: ['webhook_id', 'delivery_id'],
    texts: ['last_error', 'last_response'],
    removal: 'clear',
    cleared: { last_error: null, last_response: null },
  },
  {
    kind: 'webhook_state',
    table: 'webhook_states',
    key: ['webhook_id'],
    texts: ['last_error'],
    removal: 'clear',
    cleared: { last_error: null },
  },
  // Those of deleted incidents are gone with these. The others name several devices, or are digests.
  {
    kind: 'notice',
    table: 'notices',
    key: ['notice_id'],
    texts: ['message', 'last_error'],
    removal: 'redact',
  },
  {
    kind: 'job_input',
    table: 'job_inputs',
    key: ['job_id', 'input_ref'],
    deviceColumn: 'input_ref',
    texts: [],
    removal: 'job',
  },
  { kind: 'job', table: 'jobs', key: ['job_id'], texts: ['input_refs', 'review'], removal: 'job' },
  {
    kind: 'step',
    table: 'trace_steps',
    key: ['trace_id', 'step_id'],
    texts: ['output'],
    rowsPerWindow: WIDE_ROWS,
    removal: 'job',
  },
  {
    kind: 'artifact',
    table: 'artifacts',
    key: ['artifact_id'],
    texts: ['content'],
    rowsPerWindow: WIDE_ROWS,
    removal: 'job',
  },
  {
    kind: 'scan',
    table: 'scans',
    key: ['scan_id'],
    texts: ['result'],
    rowsPerWindow: WIDE_ROWS,
    removal: 'row',
  },
  {
    kind: 'kept_response',
    table: 'idempotency_keys',
    key: ['token_id', 'operation_id', 'idempotency_key'],
    texts: ['idempotency_key', 'answer', 'location'],
    rowsPerWindow: WIDE_ROWS,
    removal: 'row',
    hidden: ['request_hash'],
  },
  { kind: 'saved_view', table: 'saved_views', key: ['view_id'], texts: ['name', 'query'], removal: 'row' },
];

/** The kind of record that each table holds, for counts. */
export const KIND_OF_TABLE: Readonly<Partial<Record<keyof Tables, DataRecordKind>>> = {
  ...Object.fromEntries(RECORD_SOURCES.map(({ table, kind }) => [table, kind])),
  traces: 'run',
  data_requests: 'data_request',
};
