import { Type } from 'typebox';
import { listDeadLetters } from '../dead-letter/operations.ts';
import { listDevices } from '../device/operations.ts';
import { listJobs } from '../job/operations.ts';
import { operation } from '../openapi/operation.ts';
import { bulkOf, bulkResultsOf } from '../schema/bulk.ts';
import { idOf } from '../schema/identifiers.ts';
import { closed, stringEnum } from '../schema/values.ts';
import { BULK_LIMIT } from '../schema/vocabulary.ts';

/** What every bulk change has in common. */
const EACH_ITEM = `Each item is changed in a separate transaction, and an item that is refused has the error in its result. The request counts as one for the rate limit. It changes up to ${BULK_LIMIT} items: repeat it with \`next_cursor\` until that is null.`;

const results = (ids: readonly string[]) => ({
  results: ids.map((id) => ({ id, status: 200 })),
  next_cursor: null,
});

const { cursor: _c1, limit: _l1, tenant_id: _t1, ...deadLetterFilters } = listDeadLetters.query.properties;
const { cursor: _c2, limit: _l2, tenant_id: _t2, ...deviceFilters } = listDevices.query.properties;
const { cursor: _c3, limit: _l3, tenant_id: _t3, ...jobFilters } = listJobs.query.properties;

export const DEAD_LETTER_ACTS = ['replay', 'delete'] as const;

export const changeDeadLetters = operation({
  operationId: 'changeDeadLetters',
  method: 'POST',
  path: '/webhooks/dlq/bulk',
  tag: 'webhooks',
  summary: 'Replay or delete several dead letters',
  description: `Does with each dead letter what POST and DELETE \`/webhooks/dlq\` do. ${EACH_ITEM}`,
  scope: 'webhooks:write',
  body: bulkOf('DeadLetterBulk', {
    id: idOf('dead_letter'),
    tenant: idOf('tenant'),
    extra: {},
    filters: deadLetterFilters,
    change: closed({
      action: stringEnum(
        DEAD_LETTER_ACTS,
        '`replay` delivers it again; `delete` gives it up: its event is not delivered any more.',
      ),
    }),
  }),
  bodyExample: { filter: { webhook_id: 'whk_06ays3w8jrv2k7d1m5q9x4t0zb' }, change: { action: 'replay' } },
  responses: {
    200: {
      description: 'The results, one per dead letter.',
      schema: bulkResultsOf('DeadLetterBulkResults', idOf('dead_letter'), {}),
      example: results(['dlq_06ays3w8jrv2k7d1m5q9x4t0zc']),
    },
  },
  errors: ['invalid_cursor', 'cursor_filter_mismatch'],
});

export const revokeDevices = operation({
  operationId: 'revokeDevices',
  method: 'POST',
  path: '/devices/bulk',
  tag: 'devices',
  summary: 'Revoke several devices',
  description: `Revokes each device as PATCH does, permanently. ${EACH_ITEM}`,
  scope: 'devices:write',
  body: bulkOf('DeviceBulk', {
    id: idOf('device'),
    tenant: idOf('tenant'),
    extra: {},
    filters: deviceFilters,
    change: closed({ status: stringEnum(['revoked'], 'A revoked device cannot send or register again.') }),
  }),
  bodyExample: { ids: ['dev_pixel-8-anna'], change: { status: 'revoked' } },
  responses: {
    200: {
      description: 'The results, one per device.',
      schema: bulkResultsOf('DeviceBulkResults', idOf('device'), {}),
      example: results(['dev_pixel-8-anna']),
    },
  },
  errors: ['invalid_cursor', 'cursor_filter_mismatch'],
});

export const JOB_ACTS = ['approve', 'reject', 'cancel'] as const;

export const changeJobs = operation({
  operationId: 'changeJobs',
  method: 'POST',
  path: '/jobs/bulk',
  tag: 'jobs',
  summary: 'Approve, reject or cancel several jobs',
  description: `\`approve\` and \`reject\` review each job as POST \`/jobs/{id}/review\` does. \`cancel\` ends it as POST \`/jobs/{id}/cancel\` does, and requires the scope \`jobs:write\`. ${EACH_ITEM}`,
  scope: 'jobs:review',
  legacyScope: 'jobs:write',
  body: bulkOf('JobBulk', {
    id: idOf('job'),
    tenant: idOf('tenant'),
    extra: {},
    filters: jobFilters,
    change: closed({
      action: stringEnum(JOB_ACTS, 'What happens to each job.'),
      comment: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4000, description: 'Reason, recorded with each job.' }),
      ),
    }),
  }),
  bodyExample: {
    ids: ['job_06ays3w8jrv2k7d1m5q9x4t0zb'],
    change: { action: 'reject', comment: 'Exercise of the fire brigade' },
  },
  responses: {
    200: {
      description: 'The results, one per job.',
      schema: bulkResultsOf('JobBulkResults', idOf('job'), {}),
      example: results(['job_06ays3w8jrv2k7d1m5q9x4t0zb']),
    },
  },
  errors: ['invalid_cursor', 'cursor_filter_mismatch'],
});

export const bulkOperations = [changeDeadLetters, revokeDevices, changeJobs] as const;
