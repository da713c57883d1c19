import { type Static, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';
import { ACTIONS, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from './vocabulary.ts';

/** Builds a JSON Schema `enum` of strings whose TypeScript type is their union. */
export function stringEnum<const Values extends readonly string[]>(values: Values, description: string) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });
}

export const Platform = stringEnum(PLATFORMS, 'Operating system of the device.');
export type Platform = Static<typeof Platform>;

export const Severity = stringEnum(SEVERITIES, 'Severity, from `low` to `critical`.');
export type Severity = Static<typeof Severity>;

export const ThreatCategory = stringEnum(THREAT_CATEGORIES, 'Category of the threat.');
export type ThreatCategory = Static<typeof ThreatCategory>;

export const Action = stringEnum(ACTIONS, 'Action that the policy chose.');
export type Action = Static<typeof Action>;

export const ComponentState = stringEnum(['up', 'down'], 'Whether this component of the service works.');

/** Output times are RFC 3339 in UTC with milliseconds and `Z`. Input times may have any RFC 3339 offset. */
/** Builds the schema of a time with its own description. */
export function timestampOf(description: string) {
  return Type.String({ format: 'date-time', maxLength: 40, description });
}

export const Timestamp = timestampOf(
  'RFC 3339 time. Requests may use any offset; responses use UTC with milliseconds and `Z`.',
);

export const Confidence = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Confidence, from 0.0 to 1.0.',
});

export const Indicator = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Indicator of compromise, such as a SHA-256 hash or a signature ID.',
});

export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Display name.',
});

/** Builds a schema that also allows JSON `null`. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Builds an object schema that rejects unknown members by name. */
export function closed<Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}
