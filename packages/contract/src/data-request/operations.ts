import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { DATA_REQUEST_LIMIT } from '../schema/vocabulary.ts';
import { DataRecord, DataRequest, ErasedEvent, NewDataRequest } from './schema.ts';

const deletion = {
  request_id: 'drq_06ays3w8jrv2k7d1m5q9x4t0zd',
  tenant_id: 'tnt_example',
  kind: 'deletion',
  status: 'completed',
  subject_type: 'device_id',
  subject: null,
  records: [
    { kind: 'device', count: 1 },
    { kind: 'event', count: 42 },
  ],
  proof: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  created_at: '2026-03-01T09:30:00.000Z',
  created_by: { type: 'account', id: 'acc_06ays3w8jrv2k7d1m5q9x4t0za' },
  completed_at: '2026-03-01T09:30:02.000Z',
  expires_at: null,
};

const query = Type.Object(tenantQuery, { additionalProperties: false });

export const listDataRequests = operation({
  operationId: 'listDataRequests',
  method: 'GET',
  path: '/data-requests',
  tag: 'data requests',
  summary: 'List data requests',
  description: 'Newest first.',
  scope: 'settings:write',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of data requests.',
      schema: pageOf('DataRequestPage', DataRequest, {}),
      example: { data: [deletion], has_more: false, next_cursor: null },
    },
  },
});

export const createDataRequest = operation({
  operationId: 'createDataRequest',
  method: 'POST',
  path: '/data-requests',
  tag: 'data requests',
  summary: 'Export or delete what is kept about a device or a person',
  description: `The service works through all records in the background, up to the end of the feed at the time of the request. A deletion cannot be undone: events leave the feed, and what was derived from them is deleted or counted again. What it does not reach: the audit log, backups, and what webhooks and readers have received. A \`subject\` by which nothing can be found and a \`confirm\` that is not its value are 400 \`invalid_field\`. A tenant can have ${DATA_REQUEST_LIMIT} requests in progress. The response to a repeat with the same \`Idempotency-Key\` has a \`subject\` of null.`,
  scope: 'settings:write',
  recentSignIn: true,
  body: NewDataRequest,
  headers: ['Idempotency-Key'],
  bodyExample: { kind: 'deletion', subject: { device_id: 'dev_example' }, confirm: 'dev_example' },
  responses: {
    202: {
      description: 'Accepted.',
      schema: DataRequest,
      example: {
        ...deletion,
        status: 'running',
        subject: 'dev_example',
        records: [],
        proof: null,
        completed_at: null,
      },
      headers: ['Location'],
    },
  },
  errors: ['data_request_limit_reached', 'idempotency_conflict'],
});

export const getDataRequest = operation({
  operationId: 'getDataRequest',
  method: 'GET',
  path: '/data-requests/{id}',
  tag: 'data requests',
  summary: 'Read one data request',
  scope: 'settings:write',
  id: 'data_request',
  query,
  responses: { 200: { description: 'The data request.', schema: DataRequest, example: deletion } },
});

export const listDataRecords = operation({
  operationId: 'listDataRecords',
  method: 'GET',
  path: '/data-requests/{id}/records',
  tag: 'data requests',
  summary: 'Read the records of an export',
  description:
    'By kind. The records are read when they are requested; nothing is copied. A page can be empty although more follow. For a deletion and for an export that has expired: 422 `invalid_state_transition`.',
  scope: 'settings:write',
  id: 'data_request',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of records.',
      schema: pageOf('DataRecordPage', DataRecord, {}),
      example: {
        data: [{ kind: 'device', record: { device_id: 'dev_example', platform: 'android' } }],
        has_more: false,
        next_cursor: null,
      },
    },
  },
  errors: ['invalid_state_transition'],
});

export const listErasedEvents = operation({
  operationId: 'listErasedEvents',
  method: 'GET',
  path: '/data-requests/{id}/erased-events',
  tag: 'data requests',
  summary: 'List the events that a deletion erased',
  description:
    'Positions and hashes in the order of the feed, until the retention of events ends. An integrator finds its own copies by `event_hash`.',
  scope: 'settings:write',
  id: 'data_request',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of erased events.',
      schema: pageOf('ErasedEventPage', ErasedEvent, {}),
      example: {
        data: [
          {
            position: 7,
            received_at: '2026-02-27T10:00:00.000Z',
            event_hash: deletion.proof,
            chain_hash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
          },
        ],
        has_more: false,
        next_cursor: null,
      },
    },
  },
});

export const dataRequestOperations = [
  listDataRequests,
  createDataRequest,
  getDataRequest,
  listDataRecords,
  listErasedEvents,
] as const;
