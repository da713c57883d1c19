import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { Confidence, closed, nullable, stringEnum, ThreatCategory, Timestamp } from '../schema/values.ts';
import { INDICATOR_TYPES, INDICATOR_VALIDITIES } from '../schema/vocabulary.ts';

/** Maximum number of indicators in one import request: storing them takes about 30 ms, in which an embedded store does nothing else. */
export const IMPORT_LIMIT = 1000;
/** Maximum number of indicators of a tenant, and of global indicators. */
export const INDICATOR_LIMIT = 200_000;
/** Maximum number of stored indicators in the answer about one value: one per source would be more than a person reads. */
const MAX_KNOWN_INDICATORS = 10;
/** Maximum number of sources of a tenant. */
export const INDICATOR_SOURCE_LIMIT = 100;

/** Maximum length of a text that a search for values compares. */
export const INDICATOR_SEARCH_LENGTH = 200;

export const IndicatorValidity = stringEnum(
  INDICATOR_VALIDITIES,
  'Whether the indicator applies now, only from `valid_from` on, or no longer.',
);
export type IndicatorValidity = Static<typeof IndicatorValidity>;

export const IndicatorType = stringEnum(
  INDICATOR_TYPES,
  'Type of the value. A domain includes its subdomains, a URL everything below its path. A certificate is given by its SHA-256 or SHA-1 hash.',
);
export type IndicatorType = Static<typeof IndicatorType>;

export const IndicatorSourceName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  maxLength: 64,
  description: 'Name of the source, such as `stalkerware-indicators`.',
});

export const IndicatorValue = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Stored in canonical form: lower case where case does not matter, a URL without its scheme.',
});

const Scope = stringEnum(
  ['tenant', 'global'],
  '`global` applies to all tenants and can be changed by the operator only.',
);

const indicatorMembers = {
  type: IndicatorType,
  value: IndicatorValue,
  category: ThreatCategory,
  threat_type: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    maxLength: 64,
    description: 'Kind of threat within the category, such as `credential_phishing` or `known_indicator`.',
  }),
  confidence: Confidence,
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'Product or campaign that it belongs to.',
    }),
  ),
  valid_from: Type.Optional(Timestamp),
  valid_until: Type.Optional(Timestamp),
};

export const ThreatIndicator = closed(
  {
    scope: Scope,
    source: IndicatorSourceName,
    ...indicatorMembers,
    dual_use: Type.Boolean({
      description: 'The tool also has legitimate uses: a match alone warns and never blocks.',
    }),
  },
  { $id: 'ThreatIndicator', description: 'An indicator of compromise (IOC), as a source states it.' },
);
export type ThreatIndicator = Static<typeof ThreatIndicator>;

export const NewIndicator = closed(
  { ...indicatorMembers, dual_use: Type.Optional(Type.Boolean({ default: false })) },
  { $id: 'NewIndicator', description: 'An indicator to import.' },
);
export type NewIndicator = Static<typeof NewIndicator>;

const ImportId = idOf('import', 'ID of the import, `imp_<id>`.');

export const IndicatorImport = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    source: IndicatorSourceName,
    import_id: Type.Optional({
      ...ImportId,
      description:
        'From the response to the first request of an import; send it with every further request. Without it a new import begins, which ends any unfinished import of the same source.',
    }),
    replace: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Send it with the last request of an import: every indicator of the source that no request of this import named is removed at the same time.',
      }),
    ),
    indicators: Type.Array(NewIndicator, { minItems: 1, maxItems: IMPORT_LIMIT }),
  },
  { $id: 'IndicatorImport', description: 'All indicators of one source, or a part of them.' },
);
export type IndicatorImport = Static<typeof IndicatorImport>;

export const IndicatorCheck = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    indicators: Type.Array(
      closed({
        type: Type.Optional(IndicatorType),
        value: Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'May be written so that it does not open by mistake: `hxxps://evil[.]example`.',
        }),
      }),
      { minItems: 1, maxItems: IMPORT_LIMIT },
    ),
  },
  { $id: 'IndicatorCheck', description: 'Values that may be indicators.' },
);
export type IndicatorCheck = Static<typeof IndicatorCheck>;

export const CheckedIndicator = closed(
  {
    type: nullable(IndicatorType),
    value: nullable(
      Type.String({
        description: 'The canonical value, under which it would be stored. Null if it is invalid.',
      }),
    ),
    problem: nullable(Type.String({ description: 'Why the value cannot be an indicator, for people.' })),
    known: Type.Array(ThreatIndicator, {
      maxItems: MAX_KNOWN_INDICATORS,
      description:
        'The stored indicators with exactly this type and value, whether or not they are valid now.',
    }),
  },
  { $id: 'CheckedIndicator', description: 'What one value is.' },
);
export type CheckedIndicator = Static<typeof CheckedIndicator>;

export const CheckedIndicators = closed(
  { results: Type.Array(CheckedIndicator, { description: 'One result per value, in the order sent.' }) },
  { $id: 'CheckedIndicators', description: 'What the values are.' },
);
export type CheckedIndicators = Static<typeof CheckedIndicators>;

const Count = Type.Integer({ minimum: 0 });

export const IndicatorImportResult = closed(
  {
    import_id: ImportId,
    source: IndicatorSourceName,
    added: Count,
    updated: Count,
    unchanged: Count,
    removed: Type.Integer({ minimum: 0, description: 'Number of indicators removed by `replace`.' }),
    indicators: Type.Integer({ minimum: 0, description: 'Number of indicators that the source has now.' }),
  },
  { $id: 'IndicatorImportResult', description: 'Result of an import request.' },
);
export type IndicatorImportResult = Static<typeof IndicatorImportResult>;

export const IndicatorSource = closed(
  {
    scope: Scope,
    source: IndicatorSourceName,
    indicators: Count,
    updated_at: {
      ...Timestamp,
      description: 'Time of the last change to one of its indicators.',
    } as typeof Timestamp,
  },
  { $id: 'IndicatorSource', description: 'A source of indicators.' },
);
export type IndicatorSource = Static<typeof IndicatorSource>;

export const IndicatorSources = closed(
  { data: Type.Array(IndicatorSource) },
  { $id: 'IndicatorSources', description: 'The sources of the indicators of a tenant.' },
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
  { $id: 'IndicatorKeys', description: 'Public keys of the signatures of bundles.' },
);
export type IndicatorKeys = Static<typeof IndicatorKeys>;
