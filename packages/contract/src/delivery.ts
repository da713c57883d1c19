import { type Static, Type } from 'typebox';
import { Event } from './event.ts';
import { idOf } from './identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from './values.ts';

/** Attempts that a delivery has in all before it becomes a dead letter. */
export const DELIVERY_ATTEMPTS = 3;

/** How long deliveries and dead letters are remembered, in days. */
export const DELIVERY_RETENTION_DAYS = 7;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export const DeliveryStatus = stringEnum(
  DELIVERY_STATUSES,
  '`pending` until an attempt succeeds or none is left.',
);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

/** An event on its way to a webhook: for each pair of the two there is one. */
export const Delivery = closed(
  {
    delivery_id: idOf('delivery'),
    tenant_id: idOf('tenant'),
    webhook_id: idOf('webhook'),
    event_id: idOf('event'),
    kind: stringEnum(['event', 'test'], 'Whether it carries an event of the feed or a made-up one.'),
    status: DeliveryStatus,
    attempts: Type.Integer({ minimum: 0, description: 'Attempts since it was last started.' }),
    created_at: Timestamp,
    next_attempt_at: nullable(Timestamp),
    last_attempt_at: nullable(Timestamp),
    last_status: nullable(Type.Integer({ description: 'HTTP status of the last answer.' })),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    last_response: nullable(
      Type.String({
        description: 'Beginning of the last answer, without anything that looks like a secret.',
      }),
    ),
    last_duration_ms: nullable(Type.Integer({ minimum: 0 })),
  },
  { $id: 'Delivery', description: 'An event on its way to a webhook.' },
);
export type Delivery = Static<typeof Delivery>;

/** A delivery that has failed for good, kept to be replayed or acknowledged. */
export const DeadLetter = closed(
  {
    entry_id: idOf('dead_letter'),
    tenant_id: idOf('tenant'),
    webhook_id: idOf('webhook'),
    event_id: idOf('event'),
    delivery_id: idOf('delivery'),
    failed_at: Timestamp,
    expires_at: Timestamp,
    attempts: Type.Integer({
      minimum: 0,
      description: 'Attempts since it was last started: 0 when a replay has just begun.',
    }),
    last_status: nullable(Type.Integer({ description: 'HTTP status of the last answer.' })),
    last_error: Type.String({ description: 'Why the last attempt failed.' }),
    event: Event,
  },
  { $id: 'DeadLetter', description: 'An event that could not be delivered.' },
);
export type DeadLetter = Static<typeof DeadLetter>;

/** Answer of POST /webhooks/{id}/test. */
export const TestDelivery = closed(
  { delivery_id: idOf('delivery'), webhook_id: idOf('webhook'), event_id: idOf('event') },
  { $id: 'TestDelivery', description: 'The delivery to look for among those of the webhook.' },
);
export type TestDelivery = Static<typeof TestDelivery>;

/** Body of POST /webhooks/dlq. */
export const Replay = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    entry_id: Type.Optional(idOf('dead_letter')),
    webhook_id: Type.Optional(idOf('webhook', 'Replays the newest dead letter of this webhook.')),
  },
  { $id: 'Replay', description: 'Names a dead letter by `entry_id`, or the newest one of a webhook.' },
);
export type Replay = Static<typeof Replay>;

export const ReplayStarted = closed(
  { entry_id: idOf('dead_letter'), delivery_id: idOf('delivery') },
  { $id: 'ReplayStarted', description: 'The dead letter that is delivered again.' },
);
export type ReplayStarted = Static<typeof ReplayStarted>;

/** Body of POST /webhooks/{id}/recover. */
export const Recovery = closed(
  { tenant_id: Type.Optional(idOf('tenant')), since: Timestamp },
  { $id: 'Recovery', description: 'From when on missed events are delivered, at most 7 days back.' },
);
export type Recovery = Static<typeof Recovery>;

export const RecoveryStarted = closed(
  {
    webhook_id: idOf('webhook'),
    since: Timestamp,
    events: Type.Integer({
      minimum: 0,
      description: 'Events accepted since then, which are looked through.',
    }),
  },
  { $id: 'RecoveryStarted', description: 'Missed events are being delivered in the background.' },
);
export type RecoveryStarted = Static<typeof RecoveryStarted>;
