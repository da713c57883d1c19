import { ONLY_HERE, SHORT_LIVED, table, tablesOf } from './table.ts';

export const DATABASE_TABLES = tablesOf('database', {
  /** One row per applied migration. Only the migration runner writes it. */
  schema_migrations: table({
    key: ['name'],
    columns: {
      /** The migration's name: `0001-create-service-settings`. */
      name: 'text',
      /** Milliseconds since the epoch. */
      applied_at: 'time',
    },
    verify: {
      compared: {
        'the migrations of this version': ['name'],
      },
      notCompared: ONLY_HERE,
      missingRows: 'a store of an older version lacks them too',
    },
  }),
  /** Settings of the installation, which belong to no tenant. */
  service_settings: table({
    key: ['name'],
    columns: {
      name: 'text',
      value: 'text',
    },
    verify: {
      notCompared: ONLY_HERE,
      missingRows: ONLY_HERE,
    },
  }),
  /** First responses, kept for 24 hours for repeated requests. Secrets are removed before a response is stored. */
  idempotency_keys: table({
    key: ['tenant_id', 'token_id', 'operation_id', 'idempotency_key'],
    columns: {
      tenant_id: 'text',
      /** The caller that used the key. Callers never share keys. */
      token_id: 'text',
      operation_id: 'text',
      idempotency_key: 'text',
      request_hash: 'bytes',
      status: 'integer',
      /** JSON text. */
      answer: 'json',
      location: 'text or null',
      created_at: 'time',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
    creator: { stays: 'repeats an answer only to the credential that got it' },
  }),
});
