import { Type } from 'typebox';
import { type Operation, operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, anyOfTexts, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { stringEnum } from '../schema/values.ts';
import { ACTOR_TYPES, AUDIT_OUTCOMES, AuditEntry } from './schema.ts';

const entry = {
  audit_id: 'aud_06ays3w8jrv2k7d1m5q9x4t0zf',
  tenant_id: 'tnt_example',
  occurred_at: '2026-03-02T10:02:00.000Z',
  actor: { type: 'account', id: 'acc_06ays3w8jrv2k7d1m5q9x4t0za', name: 'Kim Example' },
  action: 'incident.update',
  resource: { type: 'incident', id: 'inc_06ays3w8jrv2k7d1m5q9x4t0ze' },
  outcome: 'success',
  request_id: 'req_4f1c0a9be27d',
  detail: 'Status from open to resolved as true_positive: the sender was reported and blocked',
  fields: { status: 'resolved' },
};

const auditPage = pageOf('AuditPage', AuditEntry, {});

/** Builds the responses of a list of audit entries. */
export function auditResponses<Entry extends object>(example: Entry) {
  return {
    200: {
      description: 'A page of audit entries.',
      schema: auditPage,
      example: { data: [example], has_more: false, next_cursor: null },
    },
  } as const;
}

const filters = {
  action: anyOfTexts('What was done, `<noun>.<verb>`, such as `token.create`.'),
  actor_type: anyOf(stringEnum(ACTOR_TYPES, 'Kind of actor.')),
  actor_id: anyOfTexts('ID of the actor.'),
  resource_type: anyOfTexts('Kind of what was changed, such as `webhook`.'),
  resource_id: anyOfTexts('ID of what was changed, such as `whk_0123`.'),
  outcome: anyOf(stringEnum(AUDIT_OUTCOMES, 'Whether the action was allowed.')),
  ...createdWithin,
};

export const listAudit = operation({
  operationId: 'listAudit',
  method: 'GET',
  path: '/audit',
  tag: 'audit',
  summary: 'List the audit entries of the tenant',
  description:
    'Newest first. A page examines at most 100,000 entries: with filters, it can have fewer than `limit` although more follow.',
  scope: 'audit:read',
  query: pageQuery(filters),
  responses: auditResponses(entry),
});

export const countAudit = countsOperation({
  list: listAudit,
  operationId: 'countAudit',
  noun: 'audit entries',
  filters,
});

export const getAuditEntry = operation({
  operationId: 'getAuditEntry',
  method: 'GET',
  path: '/audit/{id}',
  tag: 'audit',
  summary: 'Read one audit entry',
  scope: 'audit:read',
  id: 'audit',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'The entry.', schema: AuditEntry, example: entry } },
});

/** Builds the operation that lists what happened to one object. Its scope is that for reading the object. */
function auditOfOperation<
  const Shape extends Pick<Operation, 'operationId' | 'path' | 'tag' | 'scope' | 'summary'> & {
    readonly id: NonNullable<Operation['id']>;
  },
>(shape: Shape) {
  return operation({
    ...shape,
    method: 'GET',
    description: 'Newest first.',
    query: pageQuery({}),
    responses: auditResponses(entry),
  });
}

export const listAuditOfIncident = auditOfOperation({
  operationId: 'listAuditOfIncident',
  path: '/incidents/{id}/audit',
  tag: 'incidents',
  summary: 'List the audit entries of one incident',
  scope: 'incidents:read',
  id: 'incident',
});

export const listAuditOfDevice = auditOfOperation({
  operationId: 'listAuditOfDevice',
  path: '/devices/{id}/audit',
  tag: 'devices',
  summary: 'List the audit entries of one device',
  scope: 'devices:read',
  id: 'device',
});

export const listAuditOfPolicy = auditOfOperation({
  operationId: 'listAuditOfPolicy',
  path: '/policies/{id}/audit',
  tag: 'policies',
  summary: 'List the audit entries of one policy',
  scope: 'devices:read',
  id: 'policy',
});

export const listAuditOfWebhook = auditOfOperation({
  operationId: 'listAuditOfWebhook',
  path: '/webhooks/{id}/audit',
  tag: 'webhooks',
  summary: 'List the audit entries of one webhook',
  scope: 'webhooks:read',
  id: 'webhook',
});

export const auditOperations = [
  listAudit,
  countAudit,
  getAuditEntry,
  listAuditOfIncident,
  listAuditOfDevice,
  listAuditOfPolicy,
  listAuditOfWebhook,
] as const;
