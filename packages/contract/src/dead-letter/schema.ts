import { type Static, Type } from 'typebox';
import { Event } from '../event/schema.ts';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, Timestamp } from '../schema/values.ts';

/** A delivery whose attempts all failed, kept until it is replayed, deleted or 7 days old. */
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
      description: 'Attempts since the delivery was last started; 0 when a replay has just begun.',
    }),
    last_status: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
    last_error: Type.String({ description: 'Why the last attempt failed.' }),
    event: Event,
  },
  { $id: 'DeadLetter', description: 'A delivery whose attempts all failed.' },
);
export type DeadLetter = Static<typeof DeadLetter>;

/** Body of POST /webhooks/dlq. */
export const Replay = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    entry_id: Type.Optional(idOf('dead_letter')),
    webhook_id: Type.Optional(idOf('webhook', 'Selects the newest dead letter of this webhook.')),
  },
  { $id: 'Replay', description: 'Selects a dead letter by `entry_id`, or the newest one of a webhook.' },
);
export type Replay = Static<typeof Replay>;

export const ReplayStarted = closed(
  { entry_id: idOf('dead_letter'), delivery_id: idOf('delivery') },
  { $id: 'ReplayStarted', description: 'The dead letter that is being delivered again.' },
);
export type ReplayStarted = Static<typeof ReplayStarted>;
