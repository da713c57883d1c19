import { CHANGEABLE, table, tablesOf } from './table.ts';

export const HOLDINGS_TABLES = tablesOf('holdings', {
  /** On whose authority the things act that people and programs set up. What has no row belongs to the tenant. */
  holdings: table({
    key: ['tenant_id', 'kind', 'holding_id'],
    columns: {
      tenant_id: 'text',
      /** One of `HOLDING_KINDS`. */
      kind: 'text',
      holding_id: 'text',
      /** Id of the account, the token or the OAuth client that set it up, has adopted it, or has changed it last, as `holdingStore.share` says. */
      owner_id: 'text',
      /** The OAuth client through which the person acted; null for a token, and for a client that acted alone. */
      via_client_id: 'text or null',
      /** When the owner set it up, adopted or changed it. */
      owned_since: 'time',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: { access: 'records the owner of each of these' },
  }),
  /**
   * The other owners of a holding: it also ends with each of them, until someone adopts it. Someone becomes one when another
   * caller changes the holding, because they may still have its secret, or have chosen its address.
   */
  earlier_owners: table({
    key: ['tenant_id', 'kind', 'holding_id', 'owner_id', 'via_client_id'],
    columns: {
      tenant_id: 'text',
      /** One of `HOLDING_KINDS`. */
      kind: 'text',
      holding_id: 'text',
      owner_id: 'text',
      /** As in `holdings`, but empty instead of null. */
      via_client_id: 'text',
      owned_since: 'time',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: { access: 'the same' },
  }),
});
