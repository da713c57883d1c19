import { sql } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
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

function toTenantWebhook(row: Parameters<typeof toRecord>[0]): TenantWebhook {
  return { tenantId: row.tenant_id as TenantId, webhookId: row.webhook_id, webhook: toRecord(row) };
}
