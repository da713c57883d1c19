import { Type } from 'typebox';
import {
  IndicatorBundle,
  IndicatorImport,
  IndicatorImportResult,
  IndicatorKeys,
  IndicatorSourceName,
  IndicatorSources,
  IndicatorType,
  IndicatorValue,
  ThreatIndicator,
} from './indicator.ts';
import { operation } from './openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from './schema/page.ts';
import { ThreatCategory } from './schema/values.ts';

const said = {
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
    "The tenant's own first, then those for all tenants; each by source and type. Expired ones are listed too.",
  scope: 'devices:read',
  query: pageQuery({
    source: Type.Optional(IndicatorSourceName),
    type: Type.Optional(IndicatorType),
    category: Type.Optional(ThreatCategory),
  }),
  answers: {
    200: {
      description: 'A page of indicators.',
      schema: pageOf('IndicatorPage', ThreatIndicator, {}),
      example: {
        data: [{ scope: 'tenant', source: 'own-list', ...said, dual_use: false }],
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
    'Adds what is new and updates what the source has already, by type and value. An import of many requests begins with one without `import_id` and sends that of the answer with the others. All of a request is stored, or nothing; a repeat changes nothing. With `replace` in the last one the source is exchanged at once: until then all that it had goes on holding.',
  scope: 'devices:write',
  body: IndicatorImport,
  bodySize: 'batch',
  bodyExample: { source: 'own-list', indicators: [said] },
  answers: {
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

export const removeIndicators = operation({
  operationId: 'removeIndicators',
  method: 'DELETE',
  path: '/indicators',
  tag: 'indicators',
  summary: 'Remove a source, or one of its indicators',
  description:
    'All that the source has or, with `type` and `value`, that one. What holds for all tenants cannot be removed here. 404 when there is nothing of the kind, also for a repeat.',
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
  answers: { 204: { description: 'Removed.' } },
});

export const listIndicatorSources = operation({
  operationId: 'listIndicatorSources',
  method: 'GET',
  path: '/indicators/sources',
  tag: 'indicators',
  summary: 'List where indicators come from',
  description: "All of them, by name; the tenant's own first.",
  scope: 'devices:read',
  query: noFilters,
  answers: {
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
    "The tenant's indicators and those for all tenants, without those that have expired, as a DSSE envelope. Verify it with the keys of GET /indicators/keys.",
  scope: 'devices:read',
  query: noFilters,
  headers: ['If-None-Match'],
  answers: {
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
    304: { description: 'The bundle is as `If-None-Match` knows it.', headers: ['ETag'] },
  },
});

export const getIndicatorKeys = operation({
  operationId: 'getIndicatorKeys',
  method: 'GET',
  path: '/indicators/keys',
  tag: 'indicators',
  summary: 'Read the keys that bundles are signed with',
  scope: 'devices:read',
  query: noFilters,
  answers: {
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
  removeIndicators,
  listIndicatorSources,
  getIndicatorBundle,
  getIndicatorKeys,
] as const;
