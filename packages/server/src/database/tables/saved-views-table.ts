/** Named states of pages, each kept for its owner or shared with the tenant. */
export interface SavedViewsTable {
  tenant_id: string;
  view_id: string;
  /** `account`, `token` or `oauth_client`. */
  owner_type: string;
  owner_id: string;
  name: string;
  page: string;
  query: string;
  /** 0 or 1. */
  shared: number;
  created_at: number;
  updated_at: number;
}
