import type { Tables } from '../../../database/tables/index.ts';
import { ONLY_HERE, PASSING } from './coverage-reasons.ts';
import type { TableCoverage } from './describe-gaps.ts';

type DataRequestTable = 'data_requests' | 'erased_events';

/** What `tps verify` covers of the deletion of data on request. */
export const DATA_REQUEST_COVERAGE: {
  readonly [T in DataRequestTable]: TableCoverage<keyof Tables[T] & string>;
} = {
  erased_events: {
    compared: {
      'the hash chain of the feed': ['tenant_id', 'position', 'event_hash', 'chain_hash'],
      'the audit log': ['request_id'],
    },
    notCompared: { [ONLY_HERE]: ['event_key', 'received_at'] },
  },
  data_requests: {
    compared: {},
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
  },
};
