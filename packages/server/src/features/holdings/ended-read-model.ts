import type { HoldingKind } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/**
 * Returns those of these tokens, enrolment secrets, invitations or clients that have ended, so that no one needs their owners.
 * A transaction that relies on one of the tokens creates nothing any more: see `confirmCredential`.
 */
export async function listEnded(
  queries: ReadQueries,
  tenantId: TenantId,
  { kind, ids, nowMs }: { kind: HoldingKind; ids: readonly string[]; nowMs: number },
): Promise<string[]> {
  const active = new Set(await listActive(queries, tenantId, { kind, ids, nowMs }));
  return ids.filter((id) => !active.has(id));
}

function listActive(
  queries: ReadQueries,
  tenantId: TenantId,
  { kind, ids, nowMs }: { kind: HoldingKind; ids: readonly string[]; nowMs: number },
): Promise<string[]> {
  if (kind === 'invitation') return listPending(queries, tenantId, { ids, nowMs });
  if (kind === 'oauth_client') return listClients(queries, tenantId, ids);
  return listUsable(queries, tenantId, { ids, nowMs });
}

async function listClients(
  queries: ReadQueries,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('oauth_clients')
    .select('client_id')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('client_id', ids))
    .execute();
  return rows.map((row) => row.client_id);
}

async function listPending(
  queries: ReadQueries,
  tenantId: TenantId,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('invitations')
    .select('invitation_id')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('invitation_id', ids))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .execute();
  return rows.map((row) => row.invitation_id);
}

async function listUsable(
  queries: ReadQueries,
  tenantId: TenantId,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('tokens')
    .select('token_id')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('token_id', ids))
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', nowMs)]))
    .execute();
  return rows.map((row) => row.token_id);
}
