import { DATA_OF_TENANT, table, tablesOf } from './table.ts';

export const POLICIES_TABLES = tablesOf('policies', {
  /** Policies: the action that devices take for a threat. */
  policies: table({
    key: ['tenant_id', 'policy_id'],
    columns: {
      tenant_id: 'text',
      policy_id: 'text',
      name: 'text',
      /** JSON array. */
      threat_categories: 'json',
      action: 'text',
      confidence_threshold: 'real or null',
      /** 0 or 1. */
      enabled: 'flag',
      version: 'integer',
      created_at: 'time',
      updated_at: 'time',
      archived_at: 'time or null',
    },
    verify: {
      compared: {
        'the audit log': [
          'tenant_id',
          'policy_id',
          'name',
          'threat_categories',
          'action',
          'confidence_threshold',
          'enabled',
          'version',
          'created_at',
          'updated_at',
          'archived_at',
        ],
      },
    },
    creator: DATA_OF_TENANT,
  }),
});
