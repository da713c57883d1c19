import type { TSchema } from 'typebox';
import { submitEvent } from '../event/operations.ts';
import { Event } from '../event/schema.ts';
import type { Json } from './plain-schema.ts';

const HEX_DIGEST = '^[0-9a-f]{64}$';

/** Headers of a delivery: name, description, pattern, example, and whether each delivery has it. */
const HEADERS = [
  [
    'X-Service-Signature',
    'Lower-case hex of the HMAC-SHA256 of the body, with the UTF-8 bytes of the secret as key.',
    HEX_DIGEST,
    undefined,
    true,
  ],
  [
    'X-Service-Signature-Previous',
    'The same with the old secret, during the overlap of a rotation.',
    HEX_DIGEST,
    undefined,
    false,
  ],
  ['X-Service-Timestamp', 'When this attempt was sent, in Unix seconds.', '^[0-9]+$', '1772442904', true],
  [
    'X-Service-Idempotency-Key',
    '`<delivery id>.<attempt>`: different for each attempt. Recognise duplicates by `event_id`.',
    '^dlv_[A-Za-z0-9_-]+\\.[0-9]+$',
    'dlv_06ays3w8jrv2k7d1m5q9x4t0zc.1',
    true,
  ],
  ['webhook-id', 'The `event_id`.', '^evt_', 'evt_0mf3k2c8v1r6t', true],
  ['webhook-timestamp', 'The same as `X-Service-Timestamp`.', '^[0-9]+$', '1772442904', true],
  [
    'webhook-signature',
    '`v1,` and the Base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` (Standard Webhooks); two, separated by a space, during the overlap of a rotation.',
    '^v1,[A-Za-z0-9+/]+=*(?: v1,[A-Za-z0-9+/]+=*)?$',
    undefined,
    true,
  ],
] as const;

/** Builds `webhooks`: the request that a receiver gets, and what follows its response. */
export function toWebhooks(refer: (schema: TSchema) => Json): Json {
  const parameters = HEADERS.map(([name, description, pattern, example, required]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', pattern },
    ...(example === undefined ? {} : { example }),
  }));
  const post = {
    operationId: 'eventAccepted',
    tags: ['webhooks'],
    summary: 'Receive an accepted event',
    description:
      'Sent to each active webhook whose `severity_filter` fits, for events with the action `warn` or `block`. The body is the stored event on one line. At least once, in any order. An attempt without a response within 10 s fails. After three failures the event is a dead letter.',
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refer(Event), example: submitEvent.bodyExample } },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      '410': { description: 'The webhook is disabled.' },
      '429': { description: 'Retried. A `Retry-After` of up to 10 s is honoured.' },
      '4XX': { description: 'Not retried: the event is a dead letter.' },
      '5XX': { description: 'Retried.' },
    },
  };
  return { eventAccepted: { post } };
}
