import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '@tps/contract';
import { oncePerKey } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { toWebhook, type WebhookRecord } from './webhook.ts';
import type { WebhookService } from './webhook-service.ts';
import * as webhookStateStore from './webhook-state-store.ts';
import * as webhookStore from './webhook-store.ts';

export function webhookRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  webhooks: WebhookService;
}): Route[] {
  const { database, cursors, clock, webhooks } = parts;
  const { read } = database;

  /** Returns webhooks together with the state of their last deliveries. */
  const present = async (tenantId: TenantId, records: readonly WebhookRecord[]) => {
    const ids = records.map(({ webhookId }) => webhookId);
    const states = await webhookStateStore.findMany(read, tenantId, ids);
    const nowMs = clock.now();
    return records.map((record) => toWebhook(record, states.get(record.webhookId), { tenantId, nowMs }));
  };
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
        read: async (page) => present(tenantId, await webhookStore.list(read, tenantId, page)),
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
            const body = toWebhook(webhook, undefined, { tenantId, nowMs: clock.now() });
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
