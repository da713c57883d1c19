import { ONLY_HERE, PASSING, table, tablesOf } from './table.ts';

export const DATA_REQUESTS_TABLES = tablesOf('data-requests', {
  /** Requests of admins to export or delete what is kept about a device or a person. */
  data_requests: table({
    key: ['tenant_id', 'request_id'],
    columns: {
      tenant_id: 'text',
      request_id: 'text',
      /** export or deletion. */
      kind: 'text',
      /** running, completed or expired. */
      status: 'text',
      /** device_id or indicator. */
      subject_type: 'text',
      /** Null once it is not needed any more: after a deletion, and when an export has expired. */
      subject: 'text or null',
      /** The end of the feed when it was requested. Later events are not part of it. */
      until_position: 'integer',
      /** The kind of record that is searched now. */
      stage: 'integer',
      /** JSON of the key up to which it was searched; null at its beginning. */
      stage_key: 'json or null',
      /** A deletion repeats the search until nothing is found. */
      pass: 'integer',
      found_in_pass: 'integer',
      /** JSON of deleted objects to which rows may still refer; null if there are none. */
      leftovers: 'json or null',
      /** JSON object: the number of records by kind. */
      records: 'json',
      /** Hex SHA-256 over the erased events; null until a deletion has completed. */
      proof: 'text or null',
      created_at: 'time',
      /** Kind and id of who requested it. */
      created_by: 'text',
      completed_at: 'time or null',
      /** When an export ends. */
      expires_at: 'time or null',
    },
    verify: {
      notCompared: {
        [PASSING]: [
          'status',
          'subject',
          'stage',
          'stage_key',
          'pass',
          'found_in_pass',
          'leftovers',
          'records',
          'proof',
          'completed_at',
          'expires_at',
        ],
        [ONLY_HERE]: [
          'tenant_id',
          'request_id',
          'kind',
          'subject_type',
          'until_position',
          'created_at',
          'created_by',
        ],
      },
      missingRows: ONLY_HERE,
    },
    creator: { stays: 'carried out for the tenant, and every member with the scope can read the result' },
  }),
});
