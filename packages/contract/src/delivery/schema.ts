import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from '../schema/values.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export const DeliveryStatus = stringEnum(
  DELIVERY_STATUSES,
  '`pending` until an attempt succeeds or all attempts have failed.',
);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

/** An event on its way to a webhook. Each pair of an event and a webhook has one delivery. */
export const Delivery = closed(
  {
    delivery_id: idOf('delivery'),
    tenant_id: idOf('tenant'),
    webhook_id: idOf('webhook'),
    event_id: idOf('event'),
    kind: stringEnum(['event', 'test'], '`event` carries an event of the feed, `test` a sample event.'),
    status: DeliveryStatus,
    attempts: Type.Integer({ minimum: 0, description: 'Attempts since the delivery was last started.' }),
    created_at: Timestamp,
    next_attempt_at: nullable(Timestamp),
    last_attempt_at: nullable(Timestamp),
    last_status: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    last_response: nullable(
      Type.String({
        description: 'Beginning of the last response, with anything that looks like a secret removed.',
      }),
    ),
    last_duration_ms: nullable(Type.Integer({ minimum: 0 })),
  },
  { $id: 'Delivery', description: 'An event on its way to a webhook.' },
);
export type Delivery = Static<typeof Delivery>;
