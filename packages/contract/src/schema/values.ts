import { type Static, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';
import { ACTIONS, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from './vocabulary.ts';

/** A JSON Schema `enum` of strings that TypeScript knows as a union. */
export function stringEnum<const Values extends readonly string[]>(values: Values, description: string) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });
}

export const Platform = stringEnum(PLATFORMS, 'Operating system of the device.');
export type Platform = Static<typeof Platform>;

export const Severity = stringEnum(SEVERITIES, 'How grave it is, from `low` to `critical`.');
export type Severity = Static<typeof Severity>;

export const ThreatCategory = stringEnum(THREAT_CATEGORIES, 'What kind of threat was detected.');
export type ThreatCategory = Static<typeof ThreatCategory>;

export const Action = stringEnum(ACTIONS, 'What the policy decided.');
export type Action = Static<typeof Action>;

export const ComponentState = stringEnum(['up', 'down'], 'Whether this part of the service works.');

/** Output times are RFC 3339 UTC with milliseconds and `Z`; input may carry any RFC 3339 offset. */
export const Timestamp = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'RFC 3339 time. Answers use UTC with milliseconds and `Z`.',
});

export const Confidence = Type.Number({ minimum: 0, maximum: 1, description: 'Certainty, from 0.0 to 1.0.' });

export const Indicator = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Indicator of compromise, such as a SHA-256 hash or a signature id.',
});

export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name for people to read.',
});

/** A value that may also be JSON `null`. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** An object that knows all its members: any other one is refused by name. */
export function closed<Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}
