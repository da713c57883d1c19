import type { SavedView, ViewChange } from '@tps/contract';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { AuditActor } from '../audit/index.ts';

/** Whose view it is: a person, or a token or OAuth client that acts for itself. */
export type ViewOwner = Readonly<Pick<AuditActor, 'type' | 'id'>>;

export interface SavedViewRecord {
  readonly viewId: string;
  readonly owner: ViewOwner;
  readonly name: string;
  readonly page: string;
  readonly query: string;
  readonly isShared: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export function isOwnedBy({ owner }: SavedViewRecord, other: ViewOwner): boolean {
  return owner.type === other.type && owner.id === other.id;
}

/** A view that is no longer shared belongs to the one who changed it: its owner may have left. */
export function changeView(
  before: SavedViewRecord,
  change: Omit<ViewChange, 'tenant_id'>,
  { caller, nowMs }: { caller: ViewOwner; nowMs: number },
): SavedViewRecord {
  const isShared = change.shared ?? before.isShared;
  return {
    ...before,
    name: change.name ?? before.name,
    query: change.query ?? before.query,
    isShared,
    owner: before.isShared && !isShared ? caller : before.owner,
    updatedAtMs: nowMs,
  };
}

export function toSavedView(view: SavedViewRecord, tenantId: TenantId, caller: ViewOwner): SavedView {
  return {
    view_id: view.viewId,
    tenant_id: tenantId,
    name: view.name,
    page: view.page,
    query: view.query,
    shared: view.isShared,
    owner: { ...view.owner },
    own: isOwnedBy(view, caller),
    created_at: toTimestamp(view.createdAtMs),
    updated_at: toTimestamp(view.updatedAtMs),
  };
}
