import { type Static, Type } from 'typebox';
import { DeliveryStatus } from '../delivery/schema.ts';
import { DeviceKey } from '../device/key-schema.ts';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from '../schema/values.ts';
import { DEVICE_CHAIN_STATES } from '../schema/vocabulary.ts';

const Sha256 = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description: `${description} Lower-case hex.` });

export const DeviceChainState = stringEnum(
  DEVICE_CHAIN_STATES,
  "How the event fits its device's chain. `linked`: it follows the previous event. `gap`: it names a previous event that never arrived. `declared_gap`: the device says that events are lost. `fork`: a second event at an occupied place. `reset`: the device began again. `unchained`: the event declares no place.",
);

/** Maximum number of corrections, and of deliveries, that the context of an event lists. */
export const MAX_EVENT_CORRECTIONS = 50;
export const MAX_EVENT_DELIVERIES = 100;

/** What the service knows about an event besides its content. */
export const EventContext = closed(
  {
    event_id: idOf('event'),
    tenant_id: idOf('tenant'),
    position: Type.Integer({ minimum: 1, description: 'Position in the feed of the tenant.' }),
    received_at: Timestamp,
    feed_chain: closed(
      {
        event_hash: Sha256('SHA-256 of the stored event (RFC 8785).'),
        chain_hash: Sha256('SHA-256 of the previous chain hash and the hash of the event.'),
        previous_chain_hash: nullable(
          Sha256(
            'Chain hash of the event before; 64 zeros for the first. Null when retention has deleted that event.',
          ),
        ),
      },
      { description: 'The place of the event in the hash chain of the feed.' },
    ),
    device_chain: closed(
      {
        state: DeviceChainState,
        sequence: nullable(
          Type.Integer({ minimum: 1, description: 'Number of the event, as its device declares it.' }),
        ),
        previous_event_hash: nullable(Sha256('Hash of the previous event, as the device declares it.')),
      },
      { description: "The place of the event in its device's own chain." },
    ),
    signature: closed(
      {
        body_digest: Sha256('SHA-256 of the request body that the device signed: one event or a batch.'),
        device_key: nullable(DeviceKey),
        key_replaced: nullable(
          Type.Boolean({
            description:
              'Whether the device has replaced its key since: then another key than `device_key` has signed. Null when the audit log does not reach back to the event.',
          }),
        ),
      },
      {
        description:
          'What is kept of the signature, which was verified before the event was stored. The signature itself and replaced keys are not kept.',
      },
    ),
    redaction: Type.Array(
      closed({
        mark: Type.String({
          maxLength: 20,
          description: 'The mark, such as `[email]` or `[iban]`, or `url:sha256:`.',
        }),
        count: Type.Integer({ minimum: 1, description: 'How often it occurs in the stored event.' }),
      }),
      { maxItems: 20, description: 'The marks in the event that replace personal data and links.' },
    ),
    corrections: closed(
      {
        corrects_event_id: nullable(idOf('event', 'The root event that this one corrects.')),
        event_ids: Type.Array(idOf('event'), {
          maxItems: MAX_EVENT_CORRECTIONS,
          description: 'The corrections of the root event, oldest first.',
        }),
        effective_event_id: idOf('event', 'The event that counts: the latest correction, or the root event.'),
      },
      { description: 'The root event and its corrections.' },
    ),
    derived: closed(
      {
        threat_id: nullable(idOf('threat')),
        alert_id: nullable(idOf('alert')),
        incident_id: nullable(idOf('incident', 'Incident that the alert belongs to.')),
        deliveries: Type.Array(
          closed({
            webhook_id: idOf('webhook'),
            delivery_id: idOf('delivery'),
            status: DeliveryStatus,
          }),
          {
            maxItems: MAX_EVENT_DELIVERIES,
            description:
              'The deliveries of the event to present webhooks. They are deleted after their retention.',
          },
        ),
      },
      { description: 'What followed from the event.' },
    ),
  },
  { $id: 'EventContext', description: 'What the service knows about an event besides its content.' },
);
export type EventContext = Static<typeof EventContext>;
