import { HISTORY, ONLY_HERE, table, tablesOf } from './table.ts';

export const SCAN_TABLES = tablesOf('scan', {
  /** Results of scans. The scanned content is not stored. */
  scans: table({
    key: ['tenant_id', 'scan_id'],
    columns: {
      tenant_id: 'text',
      scan_id: 'text',
      /** JSON of the response. */
      result: 'json',
      created_at: 'time',
    },
    verify: {
      compared: {
        'the stored result, only its id and time': ['scan_id', 'created_at', 'result'],
      },
      notCompared: ONLY_HERE,
      missingRows: ONLY_HERE,
    },
    creator: HISTORY,
  }),
});
