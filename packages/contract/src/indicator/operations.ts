import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { anyOf, anyOfTexts } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { ThreatCategory } from '../schema/values.ts';
import {
  CheckedIndicators,
  INDICATOR_SEARCH_LENGTH,
  IndicatorBundle,
  IndicatorCheck,
  IndicatorImport,
  IndicatorImportResult,
  IndicatorKeys,
  IndicatorSourceName,
  IndicatorSources,
  IndicatorType,
  IndicatorValidity,
  IndicatorValue,
  ThreatIndicator,
} from './schema.ts';

const example = {
  type: 'domain',
  value: 'parcel-desk.example',
  category: 'phishing',
  threat_type: 'delivery_scam',
  confidence: 0.9,
  valid_until: '2026-06-01T00:00:00.000Z',
};

const noFilters = Type.Object(tenantQuery, { additionalProperties: false });

export const listIndicators = operation({
  operationId: 'listIndicators',
  method: 'GET',
  path: '/indicators',
  tag: 'indicators',
  summary: 'List indicators',
  description:
    "The tenant's own indicators first, then the global ones, each sorted by source and type. Expired indicators are included. With `value`, they are sorted by value.",
  scope: 'devices:read',
  query: pageQuery({
    source: anyOfTexts('Name of the source.'),
    type: anyOf(IndicatorType),
    category: anyOf(ThreatCategory),
    validity: anyOf(IndicatorValidity),
    value: anyOfTexts(
      `The beginning of the canonical value, of which ${INDICATOR_SEARCH_LENGTH} characters are compared. A scheme such as \`https://\` is left out.`,
    ),
  }),
  responses: {
    200: {
      description: 'A page of indicators.',
      schema: pageOf('IndicatorPage', ThreatIndicator, {}),
      example: {
        data: [{ scope: 'tenant', source: 'own-list', ...example, dual_use: false }],
        has_more: false,
        next_cursor: null,
      },
    },
  },
});

export const importIndicators = operation({
  operationId: 'importIndicators',
  method: 'POST',
  path: '/indicators',
  tag: 'indicators',
  summary: 'Import indicators of one source',
  description:
    'Adds new indicators and updates existing ones of the source, matched by type and value; of duplicates in a request the last one applies. A request is stored as a whole or not at all, and a repeat changes nothing. At most 1000 indicators per request; a tenant can have 200 000 indicators and 100 sources. To import more, send the first request without `import_id` and the others with the `import_id` of the response. With `replace` in the last request, the indicators that the import did not name are removed at that moment; until then they stay in force.',
  scope: 'devices:write',
  body: IndicatorImport,
  bodySize: 'batch',
  bodyExample: { source: 'own-list', indicators: [example] },
  responses: {
    200: {
      description: 'Stored.',
      schema: IndicatorImportResult,
      example: {
        import_id: 'imp_06ays3w8jrv2k7d1m5q9x4t0zn',
        source: 'own-list',
        added: 1,
        updated: 0,
        unchanged: 0,
        removed: 0,
        indicators: 1,
      },
    },
  },
  errors: ['import_superseded', 'indicator_limit_reached'],
});

export const checkIndicators = operation({
  operationId: 'checkIndicators',
  method: 'POST',
  path: '/indicators/check',
  tag: 'indicators',
  summary: 'Check values before an import',
  description:
    'Returns for each value its type and canonical form, or why it cannot be an indicator, and the stored indicators of the tenant and of all tenants with this value. Without a `type`, the form of the value decides. Nothing is stored.',
  scope: 'devices:read',
  body: IndicatorCheck,
  bodySize: 'batch',
  bodyExample: { indicators: [{ value: 'hxxps://parcel-desk[.]example/pay' }] },
  responses: {
    200: {
      description: 'What each value is.',
      schema: CheckedIndicators,
      example: {
        results: [{ type: 'url', value: 'parcel-desk.example/pay', problem: null, known: [] }],
      },
    },
  },
});

export const removeIndicators = operation({
  operationId: 'removeIndicators',
  method: 'DELETE',
  path: '/indicators',
  tag: 'indicators',
  summary: 'Delete a source, or one of its indicators',
  description:
    'Deletes all indicators of the source, or one with `type` and `value`. Global indicators cannot be deleted here. 404 when nothing matches, also on a repeat.',
  scope: 'devices:write',
  query: Type.Object(
    {
      source: IndicatorSourceName,
      type: Type.Optional(IndicatorType),
      value: Type.Optional(IndicatorValue),
      ...tenantQuery,
    },
    { additionalProperties: false },
  ),
  responses: { 204: { description: 'Deleted.' } },
});

export const listIndicatorSources = operation({
  operationId: 'listIndicatorSources',
  method: 'GET',
  path: '/indicators/sources',
  tag: 'indicators',
  summary: 'List the sources of indicators',
  description: "All sources sorted by name, the tenant's own first. Not paged.",
  scope: 'devices:read',
  query: noFilters,
  responses: {
    200: {
      description: 'The sources.',
      schema: IndicatorSources,
      example: {
        data: [
          { scope: 'tenant', source: 'own-list', indicators: 1, updated_at: '2026-03-02T09:15:04.000Z' },
        ],
      },
    },
  },
});

export const getIndicatorBundle = operation({
  operationId: 'getIndicatorBundle',
  method: 'GET',
  path: '/indicators/bundle',
  tag: 'indicators',
  summary: 'Read the signed bundle for devices',
  description:
    "The tenant's own and the global indicators that have not expired, as a DSSE envelope. Verify it with the keys of GET /indicators/keys. Each node signs for itself; the weak ETag covers the key, the versions and the week.",
  scope: 'devices:read',
  openTo: ['device'],
  query: noFilters,
  headers: ['If-None-Match'],
  responses: {
    200: {
      description: 'The bundle.',
      schema: IndicatorBundle,
      example: {
        payloadType: 'application/vnd.tps.indicators+json',
        payload: 'eyJ2ZXJzaW9uIjoxfQ==',
        signatures: [{ keyid: '3fJq0bXw', sig: 'MEUCIQ==' }],
      },
      headers: ['ETag'],
    },
    304: { description: 'The bundle has not changed.', headers: ['ETag'] },
  },
});

export const getIndicatorKeys = operation({
  operationId: 'getIndicatorKeys',
  method: 'GET',
  path: '/indicators/keys',
  tag: 'indicators',
  summary: 'Read the public keys of bundle signatures',
  scope: 'devices:read',
  openTo: ['device'],
  query: noFilters,
  responses: {
    200: {
      description: 'The keys.',
      schema: IndicatorKeys,
      example: {
        keys: [
          {
            keyid: '3fJq0bXw',
            public_key_b64: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
          },
        ],
      },
    },
  },
});

export const indicatorOperations = [
  listIndicators,
  importIndicators,
  checkIndicators,
  removeIndicators,
  listIndicatorSources,
  getIndicatorBundle,
  getIndicatorKeys,
] as const;
