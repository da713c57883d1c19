/**
 * The other owners of a holding: it also ends with each of them, until someone adopts it. Someone becomes one when another
 * caller changes the holding, because they may still have its secret, or have chosen its address.
 */
export interface EarlierOwnersTable {
  tenant_id: string;
  /** One of `HOLDING_KINDS`. */
  kind: string;
  holding_id: string;
  owner_id: string;
  /** As in `holdings`, but empty instead of null. */
  via_client_id: string;
  owned_since: number;
}
