import { operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, anyOfIds, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery } from '../schema/page.ts';
import { Delivery, DeliveryStatus } from './schema.ts';

export const deliveryExample = {
  delivery_id: 'dlv_06ays3w8jrv2k7d1m5q9x4t0zc',
  tenant_id: 'tnt_example',
  webhook_id: 'whk_06ays3w8jrv2k7d1m5q9x4t0zb',
  event_id: 'evt_01hzy7q0x3',
  kind: 'event',
  status: 'delivered',
  attempts: 1,
  created_at: '2026-03-02T09:15:04.120Z',
  next_attempt_at: null,
  last_attempt_at: '2026-03-02T09:15:04.131Z',
  last_status: 204,
  last_error: null,
  last_response: '',
  last_duration_ms: 9,
};

const filters = { status: anyOf(DeliveryStatus), event_id: anyOfIds('event'), ...createdWithin };

export const listDeliveries = operation({
  operationId: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  tag: 'webhooks',
  id: 'webhook',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first. Deliveries are kept for 7 days.',
  scope: 'webhooks:read',
  query: pageQuery(filters),
  responses: {
    200: {
      description: 'A page of deliveries.',
      schema: pageOf('DeliveryPage', Delivery, {}),
      example: { data: [deliveryExample], has_more: false, next_cursor: null },
    },
  },
});

export const countDeliveries = countsOperation({
  list: listDeliveries,
  operationId: 'countDeliveries',
  noun: 'the deliveries of a webhook',
  filters,
});

export const deliveryOperations = [listDeliveries, countDeliveries] as const;
