import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type Webhook,
} from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import { oncePerKey } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import * as circuitStore from './circuit/circuit-store.ts';
import { toWebhook, type WebhookRecord } from './webhook.ts';
import type { WebhookService } from './webhook-service.ts';
import * as webhookStateStore from './webhook-state-store.ts';
import * as webhookStore from './webhook-store.ts';

function toSelection(query: Exchange<typeof listWebhooks>['query']): webhookStore.WebhookSelection {
  return { status: toAnyOf(query.status), created: toTimeRange(query) };
}

export function webhookRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  webhooks: WebhookService;
}): Route[] {
  const { database, cursors, clock, webhooks } = parts;
  const { read } = database;

  const present = (tenantId: TenantId, records: readonly WebhookRecord[]) =>
    toWebhooks(read, records, { tenantId, nowMs: clock.now() });
  const presentOne = async (tenantId: TenantId, record: WebhookRecord) => {
    const [body] = await present(tenantId, [record]);
    return { status: 200, body };
  };

  return [
    route(listWebhooks, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listWebhooks.path, query },
        read: async (page) =>
          present(tenantId, await webhookStore.list(read, tenantId, page, toSelection(query))),
        keyOf: (webhook) => [webhook.webhook_id],
        toItem: (webhook) => webhook,
      }),
    })),

    route(createWebhook, async (exchange) => {
      const { tenantId } = exchange;
      const wanted = exchange.body();
      const url = await webhooks.acceptUrl(wanted.url);
      return database.transaction(exchange, (tx) =>
        oncePerKey(tx, {
          exchange,
          nowMs: clock.now(),
          work: async () => {
            const webhook = await webhooks.create(tx, { ...wanted, url }, exchange);
            const body = toWebhook(
              webhook,
              { state: undefined, circuit: undefined },
              { tenantId, nowMs: clock.now() },
            );
            return { status: 201, location: `/webhooks/${webhook.webhookId}`, body };
          },
          forRepeat: ({ body }) => body,
        }),
      );
    }),

    route(getWebhook, async ({ tenantId, id }) => {
      const webhook = await webhookStore.find(read, tenantId, id);
      if (!webhook) throw notFound('webhook');
      return presentOne(tenantId, webhook);
    }),

    route(updateWebhook, async (exchange) => {
      const { tenantId, id } = exchange;
      const change = requestedChange(exchange.body());
      return presentOne(tenantId, await webhooks.update(tenantId, id, { change, request: exchange }));
    }),

    route(deleteWebhook, async (exchange) => {
      await webhooks.remove(exchange.tenantId, exchange.id, exchange);
      return { status: 204 };
    }),

    route(rotateWebhookSecret, async (exchange) => {
      const { tenantId, id } = exchange;
      const rotation = exchange.body();
      return presentOne(tenantId, await webhooks.rotateSecret(tenantId, id, { rotation, request: exchange }));
    }),
  ];
}

/** Returns webhooks together with the state of their last deliveries and of their receivers. */
async function toWebhooks(
  queries: ReadQueries,
  records: readonly WebhookRecord[],
  at: { tenantId: TenantId; nowMs: number },
): Promise<Webhook[]> {
  const ids = records.map(({ webhookId }) => webhookId);
  const states = await webhookStateStore.findMany(queries, at.tenantId, ids);
  const circuits = await circuitStore.findMany(queries, at.tenantId, ids);
  return records.map((record) => {
    const { webhookId } = record;
    return toWebhook(record, { state: states.get(webhookId), circuit: circuits.get(webhookId) }, at);
  });
}
