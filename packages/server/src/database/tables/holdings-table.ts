/** On whose authority the things act that people and programs set up. What has no row belongs to the tenant. */
export interface HoldingsTable {
  tenant_id: string;
  /** One of `HOLDING_KINDS`. */
  kind: string;
  holding_id: string;
  /** Id of the account, the token or the OAuth client that set it up, has adopted it, or has changed it last, as `holdingStore.share` says. */
  owner_id: string;
  /** The OAuth client through which the person acted; null for a token, and for a client that acted alone. */
  via_client_id: string | null;
  /** When the owner set it up, adopted or changed it. */
  owned_since: number;
}
