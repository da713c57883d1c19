import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import { Confidence, closed, stringEnum, ThreatCategory, Timestamp } from './schema/values.ts';

export const INDICATOR_TYPES = ['domain', 'url', 'sha256', 'package', 'certificate'] as const;
/** Most indicators in one import request: storing them takes some 30 ms, in which an embedded store does nothing else. */
export const IMPORT_LIMIT = 1000;
/** Most indicators of a tenant, and most of those that hold for all tenants. */
export const INDICATOR_LIMIT = 200_000;
/** Most sources of a tenant. */
export const INDICATOR_SOURCE_LIMIT = 100;

export const IndicatorType = stringEnum(
  INDICATOR_TYPES,
  'What the value is. A domain covers its subdomains, a URL what is below its path, a certificate is named by its SHA-256, or its SHA-1.',
);
export type IndicatorType = Static<typeof IndicatorType>;

export const IndicatorSourceName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'Who says so, such as `stalkerware-indicators`.',
});

export const IndicatorValue = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Stored in canonical form: lower case where case means nothing, a URL without its scheme.',
});

const Scope = stringEnum(
  ['tenant', 'global'],
  '`global` holds for all tenants and is changed by the operator alone.',
);

const said = {
  type: IndicatorType,
  value: IndicatorValue,
  category: ThreatCategory,
  threat_type: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'The finer kind of threat, such as `credential_phishing`, or `known_indicator`.',
  }),
  confidence: Confidence,
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'What it is part of: a product or a campaign.',
    }),
  ),
  valid_from: Type.Optional(Timestamp),
  valid_until: Type.Optional(Timestamp),
};

export const ThreatIndicator = closed(
  {
    scope: Scope,
    source: IndicatorSourceName,
    ...said,
    dual_use: Type.Boolean({
      description: 'The tool has honest uses too: a match warns and never blocks alone.',
    }),
  },
  { $id: 'ThreatIndicator', description: 'Something that gives a threat away, as a source states it.' },
);
export type ThreatIndicator = Static<typeof ThreatIndicator>;

export const NewIndicator = closed(
  { ...said, dual_use: Type.Optional(Type.Boolean({ default: false })) },
  { $id: 'NewIndicator', description: 'An indicator to import.' },
);
export type NewIndicator = Static<typeof NewIndicator>;

const ImportId = idOf('import', 'Identifier of the import, `imp_<id>`.');

export const IndicatorImport = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    source: IndicatorSourceName,
    import_id: Type.Optional({
      ...ImportId,
      description:
        'From the answer of the first request of an import, sent with each that follows. Left out, a new import begins, and one of the same source that is under way can go on no more.',
    }),
    replace: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Goes with the last request of an import: whatever else the source has, which no request of this import has named, is removed in the same moment.',
      }),
    ),
    indicators: Type.Array(NewIndicator, { minItems: 1, maxItems: IMPORT_LIMIT }),
  },
  { $id: 'IndicatorImport', description: 'Indicators of one source, all of them or a part.' },
);
export type IndicatorImport = Static<typeof IndicatorImport>;

const Count = Type.Integer({ minimum: 0 });

export const IndicatorImportResult = closed(
  {
    import_id: ImportId,
    source: IndicatorSourceName,
    added: Count,
    updated: Count,
    unchanged: Count,
    removed: Type.Integer({ minimum: 0, description: 'By `replace`.' }),
    indicators: Type.Integer({ minimum: 0, description: 'How many the source has now.' }),
  },
  { $id: 'IndicatorImportResult', description: 'What became of imported indicators.' },
);
export type IndicatorImportResult = Static<typeof IndicatorImportResult>;

export const IndicatorSource = closed(
  {
    scope: Scope,
    source: IndicatorSourceName,
    indicators: Count,
    updated_at: { ...Timestamp, description: 'When one of its indicators last changed.' } as typeof Timestamp,
  },
  { $id: 'IndicatorSource', description: 'Where indicators come from.' },
);
export type IndicatorSource = Static<typeof IndicatorSource>;

export const IndicatorSources = closed(
  { data: Type.Array(IndicatorSource) },
  { $id: 'IndicatorSources', description: 'Where the indicators of a tenant come from.' },
);
export type IndicatorSources = Static<typeof IndicatorSources>;

export const IndicatorBundle = closed(
  {
    payloadType: Type.String(),
    payload: Type.String({ description: 'The indicators as JSON, in Base64.' }),
    signatures: Type.Array(closed({ keyid: Type.String(), sig: Type.String() })),
  },
  {
    $id: 'IndicatorBundle',
    description: 'DSSE envelope (secure-systems-lab/dsse) with an Ed25519 signature of the service.',
  },
);
export type IndicatorBundle = Static<typeof IndicatorBundle>;

export const IndicatorKeys = closed(
  {
    keys: Type.Array(
      closed({
        keyid: Type.String(),
        public_key_b64: Type.String({ description: 'SPKI DER in Base64, Ed25519.' }),
      }),
    ),
  },
  { $id: 'IndicatorKeys', description: 'Public keys that bundles of this service are signed with.' },
);
export type IndicatorKeys = Static<typeof IndicatorKeys>;
