import type { DisabledReason, Severity, WebhookStatus } from '@tps/contract';
import {
  allOf,
  forUpdate,
  matches,
  prepareQuery,
  type Queries,
  type ReadQueries,
  within,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { SealedSecret } from '../../platform/crypto/secret-box.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { WebhookFilter, WebhookRecord } from './webhook.ts';

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  webhookId: string,
): Promise<WebhookRecord | undefined> {
  const row = await byId(queries, tenantId, webhookId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a webhook and locks it against other changes until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  webhookId: string,
): Promise<WebhookRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, webhookId)).executeTakeFirst();
  return row && toRecord(row);
}

export async function listByIds(
  queries: ReadQueries,
  tenantId: TenantId,
  webhookIds: readonly string[],
): Promise<WebhookRecord[]> {
  const rows = await queries.db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('webhook_id', webhookIds))
    .execute();
  return rows.map(toRecord);
}

/** Which webhooks a list shows. */
export interface WebhookSelection {
  readonly status?: AnyOf<WebhookStatus> | undefined;
  readonly created?: TimeRange | undefined;
}

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
  { status, created = EVER }: WebhookSelection = {},
): Promise<WebhookRecord[]> {
  const conditions = [...matches(queries, 'status', status), ...within('created_at', created)];
  let query = queries.db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('webhook_id', 'desc')
    .limit(limit);
  if (conditions.length > 0) query = query.where(allOf(conditions));
  if (after !== undefined) query = query.where('webhook_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

/** Lists the filters of the tenant's active webhooks. */
export async function listActive(queries: ReadQueries, tenantId: TenantId): Promise<WebhookFilter[]> {
  const rows = await selectActive(queries, { tenantId });
  return rows.map((row) => ({ webhookId: row.webhook_id, severities: toSeverities(row.severity_filter) }));
}

const selectActive = prepareQuery((queries, { tenantId }: { tenantId: TenantId }) =>
  queries.db
    .selectFrom('webhooks')
    .select(['webhook_id', 'severity_filter'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active'),
);

/** Counts the tenant's webhooks, except those whose secret is lost. */
export async function count(queries: ReadQueries, tenantId: TenantId): Promise<number> {
  const { total } = await queries.db
    .selectFrom('webhooks')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where((row) => row.or([row('disabled_reason', 'is', null), row('disabled_reason', '!=', 'secret_lost')]))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function create(tx: Queries, tenantId: TenantId, webhook: WebhookRecord): Promise<void> {
  await tx.insertMany('webhooks', [
    {
      tenant_id: tenantId,
      webhook_id: webhook.webhookId,
      created_at: webhook.createdAtMs,
      ...toSettings(webhook),
      ...toSecrets(webhook),
      held_at: null,
    },
  ]);
}

/** Saves everything except the secrets, whose key may belong to another process. */
export async function update(tx: Queries, tenantId: TenantId, webhook: WebhookRecord): Promise<void> {
  const row = { tenant_id: tenantId, webhook_id: webhook.webhookId, ...toSettings(webhook) };
  await tx.updateMany('webhooks', ['tenant_id', 'webhook_id'], [row]);
}

/** Saves secrets that this process has sealed. */
export async function updateSecrets(tx: Queries, tenantId: TenantId, webhook: WebhookRecord): Promise<void> {
  const row = {
    tenant_id: tenantId,
    webhook_id: webhook.webhookId,
    updated_at: webhook.updatedAtMs,
    ...toSecrets(webhook),
  };
  await tx.updateMany('webhooks', ['tenant_id', 'webhook_id'], [row]);
}

/** Stops deliveries to the tenant's active webhooks while the tenant is being deleted. Pending deliveries stay pending. */
export async function suspendAll(tx: Queries, tenantId: TenantId): Promise<void> {
  await changeStatus(tx, tenantId, { from: 'active', to: 'suspended' });
}

/** Resumes what `suspendAll` stopped. Webhooks that were disabled before stay disabled. */
export async function resumeAll(tx: Queries, tenantId: TenantId): Promise<void> {
  await changeStatus(tx, tenantId, { from: 'suspended', to: 'active' });
}

async function changeStatus(
  tx: Queries,
  tenantId: TenantId,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ status: to })
    .where('tenant_id', '=', tenantId)
    .where('status', '=', from)
    .execute();
}

export async function remove(tx: Queries, tenantId: TenantId, webhookId: string): Promise<void> {
  await tx.db
    .deleteFrom('webhooks')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute();
  await tx.db
    .deleteFrom('webhook_states')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute();
  await tx.db
    .deleteFrom('webhook_circuits')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute();
}

function byId(queries: ReadQueries, tenantId: TenantId, webhookId: string) {
  return queries.db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId);
}

function toSettings(webhook: WebhookRecord) {
  return {
    url: webhook.url,
    auto_replay: webhook.autoReplay ? 1 : 0,
    severity_filter: webhook.severities && JSON.stringify(webhook.severities),
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    updated_at: webhook.updatedAtMs,
  };
}

function toSecrets({ secret, previous }: WebhookRecord) {
  return {
    secret_key_id: secret.keyId,
    secret: secret.bytes,
    previous_secret_key_id: previous?.secret.keyId ?? null,
    previous_secret: previous?.secret.bytes ?? null,
    previous_secret_until: previous?.untilMs ?? null,
  };
}

/** Counts the webhooks of all tenants that the service has disabled, other than on the wish of their receiver. */
export async function countGivenUp({ db }: ReadQueries): Promise<number> {
  const { total } = await db
    .selectFrom('webhooks')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('status', '=', 'disabled')
    .where('disabled_reason', 'in', ['failing', 'secret_lost'])
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Converts a row to a webhook. */
export function toRecord(row: Omit<Row<'webhooks'>, 'held_at'>): WebhookRecord {
  return {
    webhookId: row.webhook_id,
    url: row.url,
    severities: toSeverities(row.severity_filter),
    autoReplay: row.auto_replay === 1,
    status: row.status as WebhookStatus,
    disabledReason: row.disabled_reason as DisabledReason | null,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    secret: toSealed(row.secret_key_id, row.secret),
    previous:
      row.previous_secret === null
        ? null
        : {
            secret: toSealed(row.previous_secret_key_id ?? '', row.previous_secret),
            untilMs: row.previous_secret_until ?? 0,
          },
  };
}

function toSealed(keyId: string, bytes: Uint8Array): SealedSecret {
  return { keyId, bytes: Buffer.from(bytes) };
}

function toSeverities(json: string | null): readonly Severity[] | null {
  return json === null ? null : (JSON.parse(json) as Severity[]);
}
