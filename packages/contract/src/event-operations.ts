import { Type } from 'typebox';
import { Event, EventBatch, EventBatchEnvelope, EventBatchResults } from './event.ts';
import { operation } from './openapi/operation.ts';
import { idOf } from './schema/identifiers.ts';
import { MAX_FEED_PAGE_LIMIT, pageOf, pageQuery, tenantQuery } from './schema/page.ts';
import { Severity, ThreatCategory, Timestamp } from './schema/values.ts';

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

export const listEvents = operation({
  operationId: 'listEvents',
  method: 'GET',
  path: '/events',
  tag: 'events',
  summary: 'Read the event feed',
  description:
    'Oldest first, each accepted event exactly once. Keep `next_cursor`, also of an empty page, and resume there. With a filter a page may be short or empty while `has_more` is true: read on.',
  scope: 'events:read',
  query: pageQuery(
    {
      since: Type.Optional(Timestamp),
      received_since: Type.Optional(Timestamp),
      severity: Type.Optional(Severity),
      threat_category: Type.Optional(ThreatCategory),
      device_id: Type.Optional(idOf('device')),
    },
    MAX_FEED_PAGE_LIMIT,
  ),
  answers: {
    200: {
      description: 'A page of the feed. There is always a `next_cursor`.',
      schema: pageOf('EventPage', Event, {}),
      example: { data: [event], has_more: false, next_cursor: 'AQxXbXlQb3NpdGlvbg' },
    },
  },
});

export const submitEvent = operation({
  operationId: 'submitEvent',
  method: 'POST',
  path: '/events',
  tag: 'events',
  summary: 'Submit a signed event',
  description:
    'Personal data is redacted before anything is stored, and the stored event is the answer. 201 means it is on disk. Repeat safely with the same `event_id` and a new signature.',
  scope: 'events:write',
  signature: 'tps-event',
  body: Event,
  bodyExample: event,
  answers: {
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
    'One unit of the rate limit. Each event stands or falls alone; `results` follows the order sent.',
  scope: 'events:write',
  signature: 'tps-event',
  body: EventBatch,
  envelope: EventBatchEnvelope,
  bodyExample: { events: [event] },
  answers: {
    200: {
      description: 'What became of each event.',
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
  answers: { 200: { description: 'The event as stored.', schema: Event, example: event } },
});

export const eventOperations = [listEvents, submitEvent, submitEvents, getEvent] as const;
