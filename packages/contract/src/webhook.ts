import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import { closed, nullable, Severity, stringEnum, Timestamp } from './schema/values.ts';

/** Most webhooks of one tenant. */
export const WEBHOOK_LIMIT = 100;

/** Longest time that a rotated secret goes on signing beside its successor, in seconds: 7 days. */
export const MAX_ROTATION_OVERLAP_S = 604_800;

/** How long the old secret goes on signing when nothing is said, in seconds: a day. */
export const DEFAULT_ROTATION_OVERLAP_S = 86_400;

export const WEBHOOK_STATUSES = ['active', 'disabled'] as const;
export const WebhookStatus = stringEnum(
  WEBHOOK_STATUSES,
  'A `disabled` webhook gets no new deliveries; those that wait are kept until it is active again.',
);
export type WebhookStatus = Static<typeof WebhookStatus>;

export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export const DisabledReason = stringEnum(
  DISABLED_REASONS,
  '`requested` by PATCH; `gone`: the receiver answered 410; `failing`: 5 days without one success.',
);
export type DisabledReason = Static<typeof DisabledReason>;

const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where deliveries are posted: https, on a host whose addresses are all public.',
});

const WebhookSecret = Type.String({
  minLength: 16,
  maxLength: 256,
  pattern: '^[\\x21-\\x7e]+$',
  description:
    'Keys the signatures: 16 to 256 visible ASCII characters. It is never shown again. One of the form `whsec_<base64>` also works with Standard Webhooks libraries as it is.',
});

const SeverityFilter = Type.Array(Severity, {
  minItems: 1,
  maxItems: 4,
  uniqueItems: true,
  description: 'Only events of these severities are delivered.',
});

export const Webhook = closed(
  {
    webhook_id: idOf('webhook'),
    tenant_id: idOf('tenant'),
    url: WebhookUrl,
    severity_filter: nullable(SeverityFilter),
    status: WebhookStatus,
    disabled_reason: nullable(DisabledReason),
    created_at: Timestamp,
    updated_at: Timestamp,
    previous_secret_until: nullable(Timestamp),
    last_delivery_status: nullable(
      stringEnum(['delivered', 'failed', 'retrying'], 'How the last attempt ended.'),
    ),
    last_delivery_error: nullable(Type.String({ description: 'Why the last attempt failed, in short.' })),
    last_delivery_at: nullable(Timestamp),
    last_delivery_attempts: nullable(
      Type.Integer({ minimum: 1, description: 'Attempts that the last delivery has had.' }),
    ),
  },
  {
    $id: 'Webhook',
    description: 'Where accepted warn and block events are pushed to. Never holds the secret.',
  },
);
export type Webhook = Static<typeof Webhook>;

export const NewWebhook = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    url: WebhookUrl,
    secret: WebhookSecret,
    severity_filter: Type.Optional(SeverityFilter),
  },
  { $id: 'NewWebhook', description: 'A webhook to register. Without a filter it gets all severities.' },
);
export type NewWebhook = Static<typeof NewWebhook>;

export const WebhookChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    url: Type.Optional(WebhookUrl),
    severity_filter: Type.Optional(nullable(SeverityFilter)),
    status: Type.Optional(WebhookStatus),
  },
  {
    $id: 'WebhookChange',
    description: 'Members to change; a `severity_filter` of null takes the filter away.',
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
        description: 'Seconds for which deliveries carry a signature of the old secret too.',
      }),
    ),
  },
  { $id: 'SecretRotation', description: 'The new secret, and how long the old one goes on signing.' },
);
export type SecretRotation = Static<typeof SecretRotation>;

/** Answer of POST /webhooks/{id}/test. */
export const TestDelivery = closed(
  { delivery_id: idOf('delivery'), webhook_id: idOf('webhook'), event_id: idOf('event') },
  { $id: 'TestDelivery', description: 'The delivery to look for among those of the webhook.' },
);
export type TestDelivery = Static<typeof TestDelivery>;

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
