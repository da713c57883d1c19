import type { AuditEntry } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type ListRequest, type Page, readPage, toCursor, toPageRequest } from '../../platform/http/page.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type AuditFilter, type AuditSearch, search, list as select } from './audit-store.ts';
import { findNames } from './participant-read-model.ts';

interface Parts {
  readonly read: ReadQueries;
  readonly cursors: CursorCodec;
}

/** Answers a request for the audit entries of a tenant, with the names of who acted. */
export async function readAuditPage(
  { read, cursors }: Parts,
  request: ListRequest,
  filter: AuditSearch,
): Promise<Page<AuditEntry>> {
  const { entries, next } = await search(read, request.tenantId, {
    filter,
    page: toPageRequest(cursors, request),
  });
  return {
    data: await withNames(read, request.tenantId, entries),
    has_more: next !== undefined,
    next_cursor: next === undefined ? null : toCursor(cursors, request, [next]),
  };
}

/** Answers a request for the audit entries about one kind of object, or one object. */
export async function readAuditOf(
  { read, cursors }: Parts,
  request: ListRequest,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  const { tenantId } = request;
  const page = await readPage({
    cursors,
    request,
    read: (page) => select(read, tenantId, filter, page),
    keyOf: (entry) => [entry.audit_id],
    toItem: (entry) => entry,
  });
  return { ...page, data: await withNames(read, tenantId, page.data) };
}

/** Adds the names of who acted, and of what was changed. */
export async function withNames(
  read: ReadQueries,
  tenantId: TenantId,
  entries: readonly AuditEntry[],
): Promise<AuditEntry[]> {
  const names = await findNames(read, tenantId, [
    ...new Set(entries.flatMap(({ actor, resource }) => [actor.id, resource.id])),
  ]);
  const named = <Participant extends { readonly id: string }>(one: Participant) => {
    const name = names.get(one.id);
    return name === undefined ? one : { ...one, name };
  };
  return entries.map((entry) => ({ ...entry, actor: named(entry.actor), resource: named(entry.resource) }));
}
