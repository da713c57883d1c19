import { DATA_OF_TENANT, PASSING, table, tablesOf } from './table.ts';

export const INDICATORS_TABLES = tablesOf('indicators', {
  /** One row per tenant with indicators, and one for the indicators of all tenants. Each change of indicators locks it. */
  indicator_heads: table({
    key: ['tenant_id'],
    columns: {
      tenant_id: 'text',
      /** Increases with each change, at least to the time of the change in milliseconds. */
      version: 'integer',
      /** The number of indicators from all sources. */
      indicators: 'integer',
    },
    verify: {
      notCompared: PASSING,
      missingRows: 'the next import of the source replaces them',
    },
  }),
  /** Sources of indicators, with the progress of each import. */
  indicator_sources: table({
    key: ['tenant_id', 'source'],
    columns: {
      tenant_id: 'text',
      source: 'text',
      /** The newest import, the only one that may continue; null after the source was removed. */
      import_id: 'text or null',
      import_number: 'integer',
      /** Indicators of earlier imports are removed: hidden from readers at once, deleted from the table later. */
      kept_since: 'integer',
      /** Indicators of earlier imports are already deleted from the table. */
      swept_before: 'integer',
      /** The number of indicators in the newest import so far. */
      imported: 'integer',
      /** The number of indicators of this source. */
      indicators: 'integer',
      updated_at: 'time',
    },
    verify: {
      notCompared: PASSING,
      missingRows: 'the next import of the source replaces them',
    },
    creator: DATA_OF_TENANT,
  }),
  /** Indicators of threats, as a source states them. Indicators for all tenants have no tenant. */
  indicators: table({
    key: ['tenant_id', 'source', 'type', 'digest'],
    columns: {
      tenant_id: 'text',
      source: 'text',
      type: 'text',
      /** SHA-256 of the canonical value, the key for lookups. */
      digest: 'bytes',
      value: 'text',
      category: 'text',
      threat_type: 'text',
      confidence: 'real',
      label: 'text or null',
      dual_use: 'flag',
      valid_from: 'time or null',
      valid_until: 'time or null',
      /** The import that named it last. One from before its source's `kept_since` counts as removed. */
      import_number: 'integer',
    },
    verify: {
      notCompared: 'the next import of the source replaces it',
      missingRows: 'the next import of the source replaces them',
    },
    creator: DATA_OF_TENANT,
  }),
});
