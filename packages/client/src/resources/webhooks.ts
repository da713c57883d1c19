import {
  type CallOptions,
  type Connection,
  done,
  type KeyedOptions,
  readData,
  toIdempotencyKey,
} from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  Counts,
  DeliveryPage,
  NewWebhook,
  Recovery,
  RecoveryStarted,
  SecretRotation,
  TestDelivery,
  Webhook,
  WebhookChange,
  WebhookPage,
} from '../schemas.ts';
import { deadLettersResource } from './dead-letters.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';

/** The tenant that an operator's credential acts for, in calls without another body. */
export interface TenantParam {
  tenant_id?: string;
}

/** Calls on webhooks. Verify their deliveries with `verifyWebhook`. */
export function webhooksResource(connection: Connection) {
  const { api, call } = connection;
  return {
    deadLetters: deadLettersResource(connection),

    list: (options: ListOptions<'listWebhooks'> = {}): List<WebhookPage> =>
      createListOf(connection, options, (init) => api.GET('/webhooks', init)),

    get: (id: string, options: ReadOptions<'getWebhook'> = {}): Promise<Webhook> =>
      readData(api.GET('/webhooks/{id}', itemRequest(connection, id, options))),

    create: (webhook: NewWebhook, options: KeyedOptions = {}): Promise<Webhook> => {
      const params = { header: { 'Idempotency-Key': toIdempotencyKey(options) } };
      return readData(api.POST('/webhooks', { params, body: webhook, ...call(options, 'any-failure') }));
    },

    update: (id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> => {
      const init = { params: { path: { id } }, body: change };
      return readData(api.PATCH('/webhooks/{id}', { ...init, ...call(options, 'rate-limit') }));
    },

    remove: (id: string, options: ReadOptions<'deleteWebhook'> = {}): Promise<void> =>
      done(api.DELETE('/webhooks/{id}', itemRequest(connection, id, options))),

    /** Replaces the signing secret. For a while, deliveries are signed with both secrets. */
    rotateSecret: (id: string, rotation: SecretRotation, options: CallOptions = {}): Promise<Webhook> => {
      const init = { params: { path: { id } }, body: rotation };
      return readData(api.POST('/webhooks/{id}/rotate-secret', { ...init, ...call(options, 'rate-limit') }));
    },

    /** Delivers a test event. */
    test: (id: string, body: TenantParam = {}, options: CallOptions = {}): Promise<TestDelivery> => {
      const init = { params: { path: { id } }, body };
      return readData(api.POST('/webhooks/{id}/test', { ...init, ...call(options, 'rate-limit') }));
    },

    /** Delivers the events since a time that were not delivered. */
    recover: (id: string, recovery: Recovery, options: CallOptions = {}): Promise<RecoveryStarted> => {
      const init = { params: { path: { id } }, body: recovery };
      return readData(api.POST('/webhooks/{id}/recover', { ...init, ...call(options, 'rate-limit') }));
    },

    /** Lists the deliveries that were sent or wait to be sent. */
    deliveries: (id: string, options: ListOptions<'listDeliveries'> = {}): List<DeliveryPage> =>
      createListOf(connection, options, ({ params: { query }, fetch }) =>
        api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, fetch }),
      ),

    /** Counts the deliveries that the list finds with the same filters, over time. */
    deliveryCounts: (id: string, options: ReadOptions<'countDeliveries'> = {}): Promise<Counts> =>
      readData(api.GET('/webhooks/{id}/deliveries/counts', itemRequest(connection, id, options))),
  };
}
