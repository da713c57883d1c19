import { CHANGEABLE, table, tablesOf } from './table.ts';

export const VIEWS_TABLES = tablesOf('views', {
  /** Named states of pages, each kept for its owner or shared with the tenant. */
  saved_views: table({
    key: ['tenant_id', 'view_id'],
    columns: {
      tenant_id: 'text',
      view_id: 'text',
      /** `account`, `token` or `oauth_client`. */
      owner_type: 'text',
      owner_id: 'text',
      name: 'text',
      page: 'text',
      query: 'text',
      /** 0 or 1. */
      shared: 'flag',
      created_at: 'time',
      updated_at: 'time',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: { stays: 'views for oneself end with the membership; shared ones are data of the tenant' },
  }),
});
