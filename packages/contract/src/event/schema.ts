import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import {
  Action,
  Confidence,
  closed,
  Indicator,
  Platform,
  Severity,
  stringEnum,
  ThreatCategory,
  Timestamp,
} from '../schema/values.ts';
import { BATCH_LIMIT, METADATA_LIMIT_BYTES } from '../schema/vocabulary.ts';

/** The only open object of the contract: listed members are validated, others are stored as they are. */
export const EventMetadata = Type.Object(
  {
    agent_version: Type.Optional(Type.String({ maxLength: 64 })),
    model_version: Type.Optional(Type.String({ maxLength: 64 })),
    device_platform: Type.Optional(Platform),
    tenant_id: Type.Optional(
      Type.String({
        maxLength: 68,
        description: 'Legacy copy of the top-level `tenant_id`, which it must equal.',
      }),
    ),
  },
  {
    $id: 'EventMetadata',
    additionalProperties: true,
    description: `Context of the decision. Further members are allowed, at most ${METADATA_LIMIT_BYTES} bytes of JSON. Numbers must be within ±${Number.MAX_SAFE_INTEGER}: send larger ones, such as 64-bit IDs, as strings.`,
  },
);
export type EventMetadata = Static<typeof EventMetadata>;

/** A detection decision. Append-only: a correction is a new event that names the root event. */
export const Event = closed(
  {
    event_id: idOf('event', 'ID of the event, `evt_<id>`, chosen by the device and kept for all retries.'),
    type: stringEnum(['risk.event.created'], 'Discriminator.'),
    timestamp: Timestamp,
    tenant_id: idOf('tenant', 'ID of the tenant, `tnt_<id>`: must match the device and the credential.'),
    device_id: idOf('device'),
    threat_category: ThreatCategory,
    confidence: Confidence,
    action_taken: Action,
    policy_id: idOf(
      'policy',
      'ID of the policy that was applied, `pol_<id>`. The service need not know it: a device may be ahead.',
    ),
    severity: Severity,
    description: Type.Optional(
      Type.String({
        maxLength: 4096,
        description:
          'Description for people. Listed kinds of personal data in it, such as e-mail addresses, phone numbers and recognized names, and links and IP addresses are redacted before it is stored.',
      }),
    ),
    indicators: Type.Optional(
      Type.Array(Indicator, { maxItems: 64, description: 'Indicators of compromise.' }),
    ),
    metadata: Type.Optional(EventMetadata),
    corrects_event_id: Type.Optional(
      idOf(
        'event',
        'Makes this event a correction of the named event of the same device. Always names the root event, also for a second correction.',
      ),
    ),
    correction_reason: Type.Optional(
      Type.String({ maxLength: 1024, description: 'Why the decision was corrected.' }),
    ),
    sequence: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "Number of the event in the device's chain.",
      }),
    ),
    previous_event_hash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        maxLength: 64,
        description: "Lower-case hex SHA-256 of the RFC 8785 form of the device's previous event.",
      }),
    ),
  },
  { $id: 'Event', description: 'A detection decision of one device.' },
);
export type Event = Static<typeof Event>;

/** Body of POST /events/batch. `tenant_id` is for operator credentials; each event repeats it. */
export const EventBatch = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    events: Type.Array(Event, { minItems: 1, maxItems: BATCH_LIMIT }),
  },
  { $id: 'EventBatch', description: 'Events of one device under one signature.' },
);
export type EventBatch = Static<typeof EventBatch>;

/** Validates a batch as a whole, before each event is validated on its own. */
export const EventBatchEnvelope = closed({
  tenant_id: Type.Optional(idOf('tenant')),
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_LIMIT }),
});

export const EventBatchResult = closed(
  {
    event_id: Type.Union([Type.String(), Type.Null()], {
      description: '`null` when the item has no valid ID.',
    }),
    status: Type.Integer({
      description: '201: stored; 200: stored before; otherwise the status of the error.',
    }),
    error: Type.Optional(
      closed({
        code: Type.String(),
        message: Type.String(),
        status: Type.Integer(),
      }),
    ),
  },
  { $id: 'EventBatchResult', description: 'Result of one event of a batch.' },
);
export type EventBatchResult = Static<typeof EventBatchResult>;

export const EventBatchResults = closed(
  { results: Type.Array(EventBatchResult, { description: 'One result per event, in the order sent.' }) },
  { $id: 'EventBatchResults', description: 'Results of the events of a batch.' },
);
export type EventBatchResults = Static<typeof EventBatchResults>;
