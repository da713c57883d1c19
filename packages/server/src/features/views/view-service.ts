import type { NewView, Scope, ViewChange } from '@tps/contract';
import { ID_PREFIXES, OWN_VIEW_LIMIT, VIEW_LIMIT } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest, Caller } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { actorOf, auditStore } from '../audit/index.ts';
import { lockTenant, type RequestDatabase } from '../authority/index.ts';
import { changeView, isOwnedBy, type SavedViewRecord, type ViewOwner } from './saved-view.ts';
import * as savedViewStore from './saved-view-store.ts';

/** Saves, changes and deletes views. What others see is audited in the same transaction; a view for oneself is not. */
export class ViewService {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: RequestDatabase; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws ServiceError `insufficient_scope`, `view_limit_reached` */
  create(wanted: NewView, request: AdmittedRequest): Promise<SavedViewRecord> {
    const { tenantId } = request;
    const nowMs = this.#clock.now();
    const view: SavedViewRecord = {
      viewId: createId(ID_PREFIXES.view, nowMs),
      owner: actorOf(request),
      name: wanted.name,
      page: wanted.page,
      query: wanted.query,
      isShared: wanted.shared ?? false,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    return this.#database.transaction(request, async (tx, caller) => {
      if (view.isShared) requireSharing(caller);
      await requireRoom(tx, tenantId, view.owner);
      await savedViewStore.create(tx, tenantId, view);
      if (view.isShared) await this.#audit(tx, request, { action: 'view.share', view });
      return view;
    });
  }

  /** @throws ServiceError `not_found`, `insufficient_scope`, `view_limit_reached` */
  update(
    viewId: string,
    change: Omit<ViewChange, 'tenant_id'>,
    request: AdmittedRequest,
  ): Promise<SavedViewRecord> {
    const { tenantId } = request;
    const owner = actorOf(request);
    return this.#database.transaction(request, async (tx, caller) => {
      await lockTenant(tx, tenantId);
      const before = await savedViewStore.findForUpdate(tx, tenantId, { viewId, caller: owner });
      if (!before) throw notFound('view');
      const view = changeView(before, change, { caller: owner, nowMs: this.#clock.now() });
      if (before.isShared || view.isShared) requireSharing(caller);
      if (isOwnedBy(view, owner) && !isOwnedBy(before, owner)) await requireRoom(tx, tenantId, owner);
      await savedViewStore.update(tx, tenantId, view);
      const action = actionOf(before, view);
      if (action) await this.#audit(tx, request, { action, view });
      return view;
    });
  }

  /** @throws ServiceError `not_found`, `insufficient_scope` */
  remove(viewId: string, request: AdmittedRequest): Promise<void> {
    const { tenantId } = request;
    return this.#database.transaction(request, async (tx, caller) => {
      const owner = actorOf(request);
      const view = await savedViewStore.findForUpdate(tx, tenantId, { viewId, caller: owner });
      if (!view) throw notFound('view');
      if (view.isShared) requireSharing(caller);
      await savedViewStore.remove(tx, tenantId, viewId);
      if (view.isShared) await this.#audit(tx, request, { action: 'view.delete', view });
    });
  }

  #audit(
    tx: Queries,
    request: AdmittedRequest,
    { action, view }: { action: keyof typeof DETAILS; view: SavedViewRecord },
  ): Promise<void> {
    const { name, page, query } = view;
    const resource = { type: 'view', id: view.viewId };
    const detail = `View "${name}" of ${page} ${DETAILS[action]}`;
    const { tenantId } = request;
    return auditStore.appendFor(
      tx,
      request,
      { tenantId, action, resource, detail, fields: { name, page, query } },
      this.#clock.now(),
    );
  }
}

const DETAILS = {
  'view.share': 'shared with the tenant',
  'view.unshare': 'no longer shared',
  'view.update': 'changed for everyone',
  'view.delete': 'deleted for everyone',
} as const;

function actionOf(before: SavedViewRecord, after: SavedViewRecord): keyof typeof DETAILS | undefined {
  if (before.isShared) return after.isShared ? 'view.update' : 'view.unshare';
  return after.isShared ? 'view.share' : undefined;
}

/** @throws ServiceError `insufficient_scope` */
function requireSharing({ scopes }: Pick<Caller, 'scopes'>): void {
  if (scopes.includes('views:share' satisfies Scope)) return;
  throw new ServiceError('insufficient_scope', 'A shared view requires the scope views:share');
}

/** @throws ServiceError `view_limit_reached` */
async function requireRoom(tx: Queries, tenantId: TenantId, owner: ViewOwner): Promise<void> {
  await lockTenant(tx, tenantId);
  const { all, own } = await savedViewStore.count(tx, tenantId, owner);
  if (own >= OWN_VIEW_LIMIT) {
    throw new ServiceError(
      'view_limit_reached',
      `One owner can have at most ${OWN_VIEW_LIMIT} views: delete one first`,
    );
  }
  if (all >= VIEW_LIMIT) {
    throw new ServiceError('view_limit_reached', `A tenant can have at most ${VIEW_LIMIT} views`);
  }
}
