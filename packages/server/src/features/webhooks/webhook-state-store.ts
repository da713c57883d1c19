import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { WebhookState } from './webhook.ts';

/** Finds the delivery state of these webhooks. Webhooks without a delivery are left out. */
export async function findMany(
  queries: ReadQueries,
  tenantId: TenantId,
  webhookIds: readonly string[],
): Promise<Map<string, WebhookState>> {
  return toStates(await byIds(queries, tenantId, webhookIds).execute());
}

/** Finds the delivery state of these webhooks, and locks it until the transaction ends. */
export async function findManyForUpdate(
  tx: Queries,
  tenantId: TenantId,
  webhookIds: readonly string[],
): Promise<Map<string, WebhookState>> {
  // In the order in which `saveMany` locks them.
  const query = byIds(tx, tenantId, webhookIds).orderBy('webhook_id');
  return toStates(await forUpdate(tx, query).execute());
}

export async function saveMany(
  tx: Queries,
  states: readonly (WebhookState & { readonly tenantId: TenantId })[],
): Promise<void> {
  await tx.upsertMany(
    'webhook_states',
    ['tenant_id', 'webhook_id'],
    states.map((state) => ({
      tenant_id: state.tenantId,
      webhook_id: state.webhookId,
      last_status: state.lastStatus,
      last_error: state.lastError,
      last_at: state.lastAtMs,
      last_attempts: state.lastAttempts,
      failing_since: state.failingSinceMs,
    })),
  );
}

/** Resets the failure count. */
export async function forgetFailures(tx: Queries, tenantId: TenantId, webhookId: string): Promise<void> {
  await tx.db
    .updateTable('webhook_states')
    .set({ failing_since: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute();
}

/** Removes states that running attempts have written for webhooks that were removed in the meantime. */
export async function removeLost(tx: Queries, tenantId: TenantId): Promise<void> {
  await tx.db
    .deleteFrom('webhook_states')
    .where('tenant_id', '=', tenantId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhooks')
            .select('webhooks.webhook_id')
            .whereRef('webhooks.tenant_id', '=', 'webhook_states.tenant_id')
            .whereRef('webhooks.webhook_id', '=', 'webhook_states.webhook_id'),
        ),
      ),
    )
    .execute();
}

function byIds(queries: ReadQueries, tenantId: TenantId, webhookIds: readonly string[]) {
  return queries.db
    .selectFrom('webhook_states')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('webhook_id', webhookIds));
}

function toStates(rows: readonly Row<'webhook_states'>[]): Map<string, WebhookState> {
  return new Map(rows.map((row) => [row.webhook_id, toState(row)]));
}

function toState(row: Row<'webhook_states'>): WebhookState {
  return {
    webhookId: row.webhook_id,
    lastStatus: row.last_status as WebhookState['lastStatus'],
    lastError: row.last_error,
    lastAtMs: row.last_at,
    lastAttempts: row.last_attempts,
    failingSinceMs: row.failing_since,
  };
}
