import { sql } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import { MEMORY_PREFIX } from '../../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { WebhookKey, WebhookRecord } from '../webhook.ts';
import { toRecord } from '../webhook-store.ts';

export type TenantWebhook = WebhookKey & { readonly webhook: WebhookRecord };

interface Page {
  readonly after: WebhookKey | undefined;
  readonly limit: number;
}

/** Lists the webhooks of all tenants, in key order. */
export async function list(queries: ReadQueries, page: Page): Promise<TenantWebhook[]> {
  return (await inKeyOrder(queries, page).execute()).map(toTenantWebhook);
}

/** Lists the webhooks with a secret sealed under one of the keys, and locks them until the transaction ends. */
export async function listUnderForUpdate(
  tx: Queries,
  keyIds: readonly string[],
  page: Page,
): Promise<TenantWebhook[]> {
  const query = inKeyOrder(tx, page).where((row) =>
    row.or([tx.anyOf('secret_key_id', keyIds), tx.anyOf('previous_secret_key_id', keyIds)]),
  );
  return (await forUpdate(tx, query).execute()).map(toTenantWebhook);
}

/** Selects webhooks whose process, the only one that could open their secret, is gone. */
export interface LostFilter {
  /** The key of this process. */
  readonly ownKeyId: string;
  /** Only webhooks that were not renewed since then. */
  readonly heldBefore: number;
}

export async function listLost(queries: ReadQueries, lost: LostFilter, page: Page): Promise<TenantWebhook[]> {
  return (await whereLost(inKeyOrder(queries, page), lost).execute()).map(toTenantWebhook);
}

/** Finds a webhook if its secret is still lost, and locks it until the transaction ends. */
export async function findLostForUpdate(
  tx: Queries,
  lost: LostFilter,
  { tenantId, webhookId }: WebhookKey,
): Promise<TenantWebhook | undefined> {
  const query = whereLost(inKeyOrder(tx, { after: undefined, limit: 1 }), lost)
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId);
  const row = await forUpdate(tx, query).executeTakeFirst();
  return row && toTenantWebhook(row);
}

/** Records that the process with the key is running. */
export async function markHeld(tx: Queries, keyId: string, nowMs: number): Promise<void> {
  await tx.db.updateTable('webhooks').set({ held_at: nowMs }).where('secret_key_id', '=', keyId).execute();
}

function inKeyOrder(queries: ReadQueries, { after, limit }: Page) {
  const query = queries.db
    .selectFrom('webhooks')
    .selectAll()
    .orderBy('tenant_id')
    .orderBy('webhook_id')
    .limit(limit);
  if (!after) return query;
  return query.where(sql<boolean>`(tenant_id, webhook_id) > (${after.tenantId}, ${after.webhookId})`);
}

function whereLost(query: ReturnType<typeof inKeyOrder>, { ownKeyId, heldBefore }: LostFilter) {
  return query
    .where('secret_key_id', 'like', `${MEMORY_PREFIX}%`)
    .where('secret_key_id', '!=', ownKeyId)
    .where('held_at', '<', heldBefore);
}

function toTenantWebhook(row: Parameters<typeof toRecord>[0]): TenantWebhook {
  return { tenantId: row.tenant_id as TenantId, webhookId: row.webhook_id, webhook: toRecord(row) };
}
