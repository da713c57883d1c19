import { type CallOptions, type Connection, done, type KeyedOptions, readData } from '../http/connection.ts';
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
import { createListOf, itemRequest, type ListOptions, ofItem, type ReadOptions } from './read-options.ts';
import { changeRequest, createRequest } from './write-requests.ts';

/** The tenant that an operator's credential acts for, in calls without another body. */
export interface TenantParam {
  tenant_id?: string;
}

/** Calls on webhooks. Verify their deliveries with `verifyWebhook`. */
export function webhooksResource(connection: Connection) {
  const { api } = connection;
  return {
    deadLetters: deadLettersResource(connection),

    list: (options: ListOptions<'listWebhooks'> = {}): List<WebhookPage> =>
      createListOf(connection, options, (init) => api.GET('/webhooks', init)),

    get: (id: string, options: ReadOptions<'getWebhook'> = {}): Promise<Webhook> =>
      readData(api.GET('/webhooks/{id}', itemRequest(connection, id, options))),

    create: (webhook: NewWebhook, options: KeyedOptions = {}): Promise<Webhook> =>
      readData(api.POST('/webhooks', createRequest(connection, webhook, options))),

    update: (id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> =>
      readData(api.PATCH('/webhooks/{id}', changeRequest(connection, { id, body: change }, options))),

    remove: (id: string, options: ReadOptions<'deleteWebhook'> = {}): Promise<void> =>
      done(api.DELETE('/webhooks/{id}', itemRequest(connection, id, options))),

    /** Replaces the signing secret. For a while, deliveries are signed with both secrets. */
    rotateSecret: (id: string, rotation: SecretRotation, options: CallOptions = {}): Promise<Webhook> =>
      readData(
        api.POST('/webhooks/{id}/rotate-secret', changeRequest(connection, { id, body: rotation }, options)),
      ),

    /** Delivers a test event. */
    test: (id: string, body: TenantParam = {}, options: CallOptions = {}): Promise<TestDelivery> =>
      readData(api.POST('/webhooks/{id}/test', changeRequest(connection, { id, body }, options))),

    /** Delivers the events since a time that were not delivered. */
    recover: (id: string, recovery: Recovery, options: CallOptions = {}): Promise<RecoveryStarted> =>
      readData(
        api.POST('/webhooks/{id}/recover', changeRequest(connection, { id, body: recovery }, options)),
      ),

    /** Lists the deliveries that were sent or wait to be sent. */
    deliveries: (id: string, options: ListOptions<'listDeliveries'> = {}): List<DeliveryPage> =>
      createListOf(connection, options, (init) => api.GET('/webhooks/{id}/deliveries', ofItem(id, init))),

    /** Counts the deliveries that the list finds with the same filters, over time. */
    deliveryCounts: (id: string, options: ReadOptions<'countDeliveries'> = {}): Promise<Counts> =>
      readData(api.GET('/webhooks/{id}/deliveries/counts', itemRequest(connection, id, options))),
  };
}
