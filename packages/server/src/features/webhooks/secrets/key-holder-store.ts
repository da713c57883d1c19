import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { WebhookKey, WebhookRecord } from '../webhook.ts';
import { toRecord } from '../webhook-store.ts';

/** Records that a process can open secrets under these keys now. */
export async function report(
  tx: Queries,
  { keyIds, nodeId, nowMs }: { keyIds: readonly string[]; nodeId: string; nowMs: number },
): Promise<void> {
  const rows = keyIds.map((keyId) => ({ key_id: keyId, node_id: nodeId, held_at: nowMs }));
  await tx.upsertMany('secret_key_holders', ['key_id', 'node_id'], rows);
}

/** Removes what a process has reported. */
export async function release(tx: Queries, nodeId: string): Promise<void> {
  await tx.db.deleteFrom('secret_key_holders').where('node_id', '=', nodeId).execute();
}

/** Removes the processes that have not reported since then. */
export async function purge(tx: Queries, heldBefore: number): Promise<void> {
  await tx.db.deleteFrom('secret_key_holders').where('held_at', '<', heldBefore).execute();
}

/** Which processes count as running: this one, and those that have reported since then. */
export interface Holders {
  readonly keyIds: readonly string[];
  readonly heldSince: number;
}

/** Lists active webhooks whose secret no running process can open. */
export async function listUnheld(
  queries: ReadQueries,
  { holders, limit }: { holders: Holders; limit: number },
): Promise<WebhookKey[]> {
  const rows = await whereUnheld(queries, holders).limit(limit).execute();
  return rows.map(toKey);
}

/** Whether no running process can open the secret of an active webhook. */
export async function isUnheld(tx: Queries, key: WebhookKey, holders: Holders): Promise<boolean> {
  const row = await whereUnheld(tx, holders)
    .where('tenant_id', '=', key.tenantId)
    .where('webhook_id', '=', key.webhookId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists webhooks that were disabled because their secret is lost, and still have pending deliveries. */
export async function listLostWithPending(queries: ReadQueries, limit: number): Promise<WebhookKey[]> {
  const rows = await queries.db
    .selectFrom('webhooks as w')
    .select(['w.tenant_id', 'w.webhook_id'])
    .where('w.disabled_reason', '=', 'secret_lost')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries as d')
          .select('d.delivery_id')
          .whereRef('d.tenant_id', '=', 'w.tenant_id')
          .whereRef('d.webhook_id', '=', 'w.webhook_id')
          .where('d.due_at', 'is not', null),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(toKey);
}

/** Lists webhooks that were disabled because their secret is lost, with a secret under one of these keys. */
export async function listLostUnder(
  queries: ReadQueries,
  keyIds: readonly string[],
): Promise<(WebhookKey & { readonly webhook: WebhookRecord })[]> {
  const rows = await queries.db
    .selectFrom('webhooks')
    .selectAll()
    .where('disabled_reason', '=', 'secret_lost')
    .where(queries.anyOf('secret_key_id', keyIds))
    .execute();
  return rows.map((row) => ({ ...toKey(row), webhook: toRecord(row) }));
}

/** Lists webhooks whose secret was in the memory of a process, and that were disabled before a time. */
export async function listEnded(
  queries: ReadQueries,
  { memoryPrefix, disabledBefore }: { memoryPrefix: string; disabledBefore: number },
): Promise<WebhookKey[]> {
  const rows = await queries.db
    .selectFrom('webhooks')
    .select(['tenant_id', 'webhook_id'])
    .where('disabled_reason', '=', 'secret_lost')
    .where('secret_key_id', 'like', `${memoryPrefix}%`)
    .where('updated_at', '<', disabledBefore)
    .execute();
  return rows.map(toKey);
}

function whereUnheld(queries: ReadQueries, { keyIds, heldSince }: Holders) {
  return queries.db
    .selectFrom('webhooks')
    .select(['tenant_id', 'webhook_id'])
    .where('status', '=', 'active')
    .where('secret_key_id', 'not in', [...keyIds])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('secret_key_holders as h')
            .select('h.node_id')
            .whereRef('h.key_id', '=', 'webhooks.secret_key_id')
            .where('h.held_at', '>=', heldSince),
        ),
      ),
    );
}

function toKey(row: { tenant_id: string; webhook_id: string }): WebhookKey {
  return { tenantId: row.tenant_id as TenantId, webhookId: row.webhook_id };
}
