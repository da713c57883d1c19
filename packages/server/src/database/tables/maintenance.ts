import { CHANGEABLE, DATA_OF_TENANT, table, tablesOf } from './table.ts';

export const MAINTENANCE_TABLES = tablesOf('maintenance', {
  /** Retention of a tenant's data classes that differ from the service's setting. */
  retention_overrides: table({
    key: ['tenant_id', 'data_class'],
    columns: {
      tenant_id: 'text',
      data_class: 'text',
      days: 'integer',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: DATA_OF_TENANT,
  }),
});
