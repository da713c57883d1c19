import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, Severity, stringEnum, Timestamp } from '../schema/values.ts';
import { DEFAULT_ROTATION_OVERLAP_S } from '../schema/vocabulary.ts';

/** Maximum time for which a rotated secret keeps signing beside its successor, in seconds: 7 days. */
export const MAX_ROTATION_OVERLAP_S = 604_800;

export const WEBHOOK_STATUSES = ['active', 'disabled'] as const;
export const WebhookStatus = stringEnum(
  WEBHOOK_STATUSES,
  'A `disabled` webhook gets no new deliveries. Pending ones are kept, for up to 7 days, until it is active again.',
);
export type WebhookStatus = Static<typeof WebhookStatus>;

export const DISABLED_REASONS = ['requested', 'gone', 'failing', 'secret_lost', 'owner_left'] as const;
export const DisabledReason = stringEnum(
  DISABLED_REASONS,
  '`requested`: disabled by PATCH; `gone`: the receiver responded 410; `failing`: 5 days without a successful delivery; `secret_lost`: no running process can read the secret, which rotate-secret replaces; `owner_left`: the authority of its owner has ended, and a caller who enables it with PATCH becomes the owner.',
);
export type DisabledReason = Static<typeof DisabledReason>;

export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
export const CircuitState = stringEnum(
  CIRCUIT_STATES,
  '`open`: the receiver did not respond, or with 429 or 5xx, and is probed from time to time with its oldest dead letter; `half_open`: a probe or the replay of dead letters is under way; `closed`: otherwise.',
);
export type CircuitState = Static<typeof CircuitState>;

const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'URL to which deliveries are posted: https, on a host whose addresses are all public or in a network that the operator has allowed.',
});

const WebhookSecret = Type.String({
  minLength: 16,
  maxLength: 256,
  pattern: '^[\\x21-\\x7e]+$',
  description:
    'Key of the signatures: 16 to 256 visible ASCII characters. Never shown again. A secret of the form `whsec_<base64>`, which must be padded Base64 of 24 to 64 bytes, works with Standard Webhooks libraries unchanged: its decoded bytes key `webhook-signature`, its UTF-8 bytes key `X-Service-Signature`.',
});

const AutoReplay = Type.Boolean({
  description:
    'Whether the service replays dead letters itself when the receiver responds again: those of deliveries that got no response, 429 or 5xx.',
});

const SeverityFilter = Type.Array(Severity, {
  minItems: 1,
  maxItems: 4,
  uniqueItems: true,
  description: 'Deliver only events of these severities. Absent or null: all severities.',
});

export const Webhook = closed(
  {
    webhook_id: idOf('webhook'),
    tenant_id: idOf('tenant'),
    url: WebhookUrl,
    severity_filter: nullable(SeverityFilter),
    auto_replay: AutoReplay,
    status: WebhookStatus,
    disabled_reason: nullable(DisabledReason),
    created_at: Timestamp,
    updated_at: Timestamp,
    previous_secret_until: nullable(Timestamp),
    circuit: CircuitState,
    next_probe_at: nullable(Timestamp),
    last_delivery_status: nullable(
      stringEnum(['delivered', 'failed', 'retrying'], 'Outcome of the last attempt.'),
    ),
    last_delivery_error: nullable(Type.String({ description: 'Short reason why the last attempt failed.' })),
    last_delivery_at: nullable(Timestamp),
    last_delivery_attempts: nullable(
      Type.Integer({ minimum: 1, description: 'Number of attempts of the last delivery.' }),
    ),
  },
  {
    $id: 'Webhook',
    description: 'A URL that receives accepted warn and block events. Never contains the secret.',
  },
);
export type Webhook = Static<typeof Webhook>;

export const NewWebhook = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    url: WebhookUrl,
    secret: WebhookSecret,
    severity_filter: Type.Optional(SeverityFilter),
    auto_replay: Type.Optional({ ...AutoReplay, default: true }),
  },
  { $id: 'NewWebhook', description: 'A webhook to create.' },
);
export type NewWebhook = Static<typeof NewWebhook>;

export const WebhookChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    url: Type.Optional(WebhookUrl),
    severity_filter: Type.Optional(nullable(SeverityFilter)),
    auto_replay: Type.Optional(AutoReplay),
    status: Type.Optional(WebhookStatus),
  },
  {
    $id: 'WebhookChange',
    description: 'Members to change. A `severity_filter` of null removes the filter.',
  },
);
export type WebhookChange = Static<typeof WebhookChange>;

export const SecretRotation = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    secret: WebhookSecret,
    overlap_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_ROTATION_OVERLAP_S,
        default: DEFAULT_ROTATION_OVERLAP_S,
        description: 'Seconds for which deliveries also carry a signature of the old secret.',
      }),
    ),
  },
  { $id: 'SecretRotation', description: 'The new secret, and how long the old one keeps signing.' },
);
export type SecretRotation = Static<typeof SecretRotation>;

/** Response of POST /webhooks/{id}/test. */
export const TestDelivery = closed(
  { delivery_id: idOf('delivery'), webhook_id: idOf('webhook'), event_id: idOf('event') },
  { $id: 'TestDelivery', description: 'The delivery to look for in the deliveries of the webhook.' },
);
export type TestDelivery = Static<typeof TestDelivery>;

/** Body of POST /webhooks/{id}/recover. */
export const Recovery = closed(
  { tenant_id: Type.Optional(idOf('tenant')), since: Timestamp },
  { $id: 'Recovery', description: 'The time from which missed events are delivered, at most 7 days ago.' },
);
export type Recovery = Static<typeof Recovery>;

export const RecoveryStarted = closed(
  {
    webhook_id: idOf('webhook'),
    since: Timestamp,
    events: Type.Integer({
      minimum: 0,
      description: 'Number of events accepted since then, which are checked.',
    }),
  },
  { $id: 'RecoveryStarted', description: 'Missed events are being delivered in the background.' },
);
export type RecoveryStarted = Static<typeof RecoveryStarted>;
