import { CHANGEABLE, ONLY_HERE, table, tablesOf } from './table.ts';

export const TENANTS_TABLES = tablesOf('tenants', {
  /** Customers. Everything else belongs to one of them. */
  tenants: table({
    key: ['tenant_id'],
    columns: {
      tenant_id: 'text',
      name: 'text',
      environment: 'text',
      /** Null for the service's default limit. */
      rate_limit_per_minute: 'integer or null',
      created_at: 'time',
      /** The most automatic triages at the same time; null if automatic triage is off. */
      triage_at_once: 'integer or null',
      /** Incidents with an earlier id are not triaged automatically: they are older than the setting. */
      triage_since: 'text or null',
      /** When the tenant is deleted permanently; null if it is not being deleted. Until then access is blocked and the deletion can be undone. */
      delete_after: 'time or null',
      /** When the deletion that an admin has requested begins; null if none. Until then the tenant works as before. */
      deletion_due_at: 'time or null',
      /** Kind and id of who requested it, such as `account acc_0123`. */
      deletion_requested_by: 'text or null',
    },
    verify: {
      compared: {
        'the rows of the tenant': ['tenant_id'],
      },
      notCompared: {
        [CHANGEABLE]: [
          'name',
          'environment',
          'rate_limit_per_minute',
          'triage_at_once',
          'triage_since',
          'delete_after',
          'deletion_due_at',
          'deletion_requested_by',
        ],
        [ONLY_HERE]: ['created_at'],
      },
    },
    creator: { stays: 'created by the operator' },
  }),
});
