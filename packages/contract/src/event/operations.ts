import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, anyOfIds, anyOfTexts } from '../schema/filters.ts';
import { MAX_FEED_PAGE_LIMIT, pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import {
  Action,
  closed,
  Platform,
  Severity,
  stringEnum,
  ThreatCategory,
  timestampOf,
} from '../schema/values.ts';
import { EventContext } from './context-schema.ts';
import { Event, EventBatch, EventBatchEnvelope, EventBatchResults } from './schema.ts';

/** Each one is sought in the stored text of every event. */
const MAX_SOUGHT_INDICATORS = 5;

const event = {
  event_id: 'evt_0mf3k2c8v1r6t',
  type: 'risk.event.created',
  timestamp: '2026-03-02T09:15:03.000Z',
  tenant_id: 'tnt_example',
  device_id: 'dev_pixel-8-anna',
  threat_category: 'phishing',
  confidence: 0.97,
  action_taken: 'block',
  policy_id: 'pol_default-phishing',
  severity: 'high',
  description: 'Message with a link to a look-alike login page, sender [phone]',
  indicators: ['url:sha256:5e0f5d1c1a35b2c2bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b'],
  metadata: { agent_version: '2.4.1', device_platform: 'android' },
};

const filters = {
  since: Type.Optional(
    timestampOf(
      'Only events whose `timestamp`, the time of the decision, is this time or later. A device may send an event long after it: to read what is new, use the cursor or `received_since`.',
    ),
  ),
  until: Type.Optional(timestampOf('Only events whose `timestamp` is before this time.')),
  received_since: Type.Optional(
    timestampOf('Only events that the service stored at this time or later, with any `timestamp`.'),
  ),
  received_until: Type.Optional(timestampOf('Only events that arrived before this time.')),
  severity: anyOf(Severity),
  threat_category: anyOf(ThreatCategory),
  action_taken: anyOf(Action),
  device_id: anyOfIds('device'),
  device_platform: anyOf(Platform),
  policy_id: anyOfIds('policy'),
  indicator: anyOfTexts('An indicator of the event.', MAX_SOUGHT_INDICATORS),
};

export const listEvents = operation({
  operationId: 'listEvents',
  method: 'GET',
  path: '/events',
  tag: 'events',
  summary: 'Read the event feed',
  description:
    'Returns every accepted event once, in the order in which events were committed, oldest first. There is always a `next_cursor`, also on an empty page: keep it after you have processed the page, and resume there. A page that is read again has the same events: remember `event_id`, or store the cursor in one transaction with the effects of the page. With a filter, a page scans at most 20 000 positions of the feed, so it can be short or empty while `has_more` is true: keep reading. With `order=newest`, the newest event is first, and the last page has no `next_cursor`: events that arrive later are not on its pages.',
  scope: 'events:read',
  query: pageQuery(
    {
      ...filters,
      order: Type.Optional(stringEnum(['oldest', 'newest'], 'Which event is first (default `oldest`).')),
    },
    MAX_FEED_PAGE_LIMIT,
  ),
  responses: {
    200: {
      description: 'A page of the feed. Oldest first, it always has a `next_cursor`.',
      schema: pageOf('EventPage', Event, {}),
      example: { data: [event], has_more: false, next_cursor: 'AQxXbXlQb3NpdGlvbg' },
    },
  },
});

/** A cursor of the feed that continues after a page or a message with the same filters. */
const streamCursor = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Where to start: `next_cursor` of a page of GET /events with the same filters, or the `id` of a message. Without it, the stream starts at the present end of the feed.',
});

const streamExample = [
  'retry: 1000',
  'id: AQxXbXlQb3NpdGlvbg',
  'event: ready',
  'data: {}',
  '',
  'id: AQxXbXlOZXh0UG9z',
  `event: ${event.type}`,
  `data: ${JSON.stringify(event)}`,
  '',
  '',
].join('\n');

export const streamEvents = operation({
  operationId: 'streamEvents',
  method: 'GET',
  path: '/events/stream',
  tag: 'events',
  summary: 'Receive events as they are stored',
  description:
    'Server-sent events (HTML standard, section 9.2). The first message is `ready`; its `id` is where the stream starts. Each further message is one event: the name is its `type`, the data its JSON on one line, and the `id` the cursor of the feed after it. Continue with the last `id`, as `Last-Event-ID` or `cursor`: each event is sent once, in the order of the feed. Every 15 seconds there is a comment, with the `id` that was reached. The message `end` precedes the end of the stream: its `code` is that of the error, such as `invalid_credentials` within seconds of a revocation, or `unavailable` when the service stops. A reader that takes nothing for 30 seconds is disconnected. A tenant may have 100 streams, and a process 500. Beyond that, the service rejects a stream with 429 `rate_limited` or 503, unless another caller of the tenant, or another tenant, has at least two streams more: then it ends one of those with `unavailable`. A stream counts as one request.',
  scope: 'events:read',
  query: closed({ ...filters, cursor: Type.Optional(streamCursor), ...tenantQuery }),
  headers: ['Last-Event-ID'],
  streams: true,
  responses: {
    200: {
      description: 'The stream. It has no end.',
      schema: Type.String({ description: 'Messages, each followed by an empty line.' }),
      mediaType: 'text/event-stream',
      example: streamExample,
    },
  },
});

export const countEvents = countsOperation({
  list: listEvents,
  operationId: 'countEvents',
  noun: 'events',
  filters,
  time: 'time of arrival',
});

export const submitEvent = operation({
  operationId: 'submitEvent',
  method: 'POST',
  path: '/events',
  tag: 'events',
  summary: 'Submit a signed event',
  description:
    'Before the event is stored, these are replaced by marks: e-mail addresses, phone numbers, names that a list or a cue identifies, IBANs, payment cards, national ids, numbers of identity documents and registration plates after a word for them, dates of birth, streets with a house number, IMEIs, MAC addresses, cryptocurrency addresses, and users in paths. Links are hashed and IP addresses shortened; other personal data is kept. The response is the stored event. 201 means that the event is on disk and that its alerts, threats and incidents are derived. To retry, send the same `event_id` with a new signature: the same content is 200, other content is 409 `event_id_conflict`. `timestamp` may be as old as the retention and 5 minutes in the future. `device_id` must be the device that signed the request.',
  scope: 'events:write',
  openTo: ['device'],
  signature: 'tps-event',
  body: Event,
  bodyExample: event,
  responses: {
    201: { description: 'Stored.', schema: Event, example: event, headers: ['Location'] },
    200: { description: 'The same event was stored before.', schema: Event, example: event },
  },
  errors: [
    'event_too_old',
    'event_in_future',
    'original_event_not_found',
    'device_not_registered',
    'device_revoked',
    'event_id_conflict',
  ],
});

export const submitEvents = operation({
  operationId: 'submitEvents',
  method: 'POST',
  path: '/events/batch',
  bodySize: 'batch',
  tag: 'events',
  summary: 'Submit up to 500 events under one signature',
  description:
    'Counts as one request for the rate limit. Each event is accepted or rejected on its own, and `results` is in the order sent. The whole batch is rejected for its signature, device, size or envelope.',
  scope: 'events:write',
  openTo: ['device'],
  signature: 'tps-event',
  body: EventBatch,
  envelope: EventBatchEnvelope,
  listMember: 'events',
  bodyExample: { events: [event] },
  responses: {
    200: {
      description: 'The result of each event.',
      schema: EventBatchResults,
      example: { results: [{ event_id: event.event_id, status: 201 }] },
    },
  },
  errors: ['device_not_registered', 'device_revoked'],
});

export const getEvent = operation({
  operationId: 'getEvent',
  method: 'GET',
  path: '/events/{id}',
  tag: 'events',
  summary: 'Read one event',
  scope: 'events:read',
  id: 'event',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'The event as stored.', schema: Event, example: event } },
});

export const getEventContext = operation({
  operationId: 'getEventContext',
  method: 'GET',
  path: '/events/{id}/context',
  tag: 'events',
  summary: 'Read what is known about an event',
  description:
    'Its places in the hash chains of the feed and of its device, what is kept of its signature, the marks of redaction, its corrections, and the ids of what was derived from it.',
  scope: 'events:read',
  id: 'event',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: {
    200: {
      description: 'The context of the event.',
      schema: EventContext,
      example: {
        event_id: event.event_id,
        tenant_id: event.tenant_id,
        position: 4212,
        received_at: '2026-03-02T09:15:04.120Z',
        feed_chain: {
          event_hash: '5e0f5d1c1a35b2c2bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b',
          chain_hash: '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
          previous_chain_hash: '7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b5e0f5d1c1a35b2c2bd0ad9d6a0f2f8fd',
        },
        device_chain: { state: 'linked', sequence: 118, previous_event_hash: null },
        signature: {
          body_digest: '9a0b1c2d3e4f5a6b5e0f5d1c1a35b2c2bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f',
          device_key: {
            type: 'ed25519',
            bits: 256,
            fingerprint: 'bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b5e0f5d1c1a35b2c2',
            replaced_at: null,
          },
          key_replaced: false,
        },
        redaction: [
          { mark: '[phone]', count: 1 },
          { mark: 'url:sha256:', count: 1 },
        ],
        corrections: {
          corrects_event_id: null,
          event_ids: [],
          effective_event_id: event.event_id,
        },
        derived: {
          threat_id: 'thr_06ays3w8jrv2k7d1m5q9x4t0zc',
          alert_id: 'alr_06ays3w8jrv2k7d1m5q9x4t0zc',
          incident_id: 'inc_06ays3w8jrv2k7d1m5q9x4t0zc',
          deliveries: [],
        },
      },
    },
  },
});

export const eventOperations = [
  listEvents,
  countEvents,
  streamEvents,
  submitEvent,
  submitEvents,
  getEvent,
  getEventContext,
] as const;
