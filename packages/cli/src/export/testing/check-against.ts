import { readFileSync } from 'node:fs';

interface Attribute {
  readonly type: string;
  readonly required?: boolean;
  readonly array?: boolean;
  readonly enum?: readonly unknown[];
}

interface Definition {
  readonly extends?: string;
  readonly atLeastOne?: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export type Schema = Readonly<Record<string, Definition>>;

export function readSchema(name: 'ocsf-1.7.0' | 'stix-2.1'): Schema {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as Schema;
}

/** Reads the words of a standard that were taken from its published files. */
export function readWords<Words>(name: 'cef-words' | 'ocsf-1.7.0-words' | 'stix-2.1-words'): Words {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as Words;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const matches = (form: RegExp) => (value: unknown) => typeof value === 'string' && form.test(value);

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  json: (value) => value !== undefined,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isSafeInteger,
  // Milliseconds, not seconds: later than 2001.
  epoch_ms: (value) => Number.isSafeInteger(value) && Number(value) > 1_000_000_000_000,
  percentage: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100,
  identifier: matches(new RegExp(`^[a-z][a-z0-9-]+[a-z0-9]--${UUID}$`)),
  timestamp: matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/),
  pattern: matches(/^\[[a-z0-9-]+:[a-z]+(\.'(MD5|SHA-1|SHA-256)')? (=|ISSUBSET) '[^'\\]+'\]$/),
};

/** Returns the errors of a value with their paths. Unknown attributes are errors. */
export function checkAgainst(schema: Schema, name: string, value: unknown, at = name): string[] {
  const definition = schema[name];
  if (!definition) return [`${at}: unknown type ${name}`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: not an object`];
  const attributes = attributesOf(schema, definition);
  const members = Object.entries(value);
  const isThere = (member: string) => Object.hasOwn(value, member);
  return [
    ...members.flatMap(([member, content]) => {
      const attribute = attributes[member];
      return attribute
        ? checkAttribute(schema, attribute, content, `${at}.${member}`)
        : [`${at}.${member}: unknown`];
    }),
    ...Object.entries(attributes).flatMap(([member, { required }]) =>
      required && !isThere(member) ? [`${at}.${member}: missing`] : [],
    ),
    ...(definition.atLeastOne && !definition.atLeastOne.some(isThere) ? [`${at}: none of at least one`] : []),
  ];
}

function attributesOf(schema: Schema, definition: Definition): Record<string, Attribute> {
  const parent = definition.extends === undefined ? undefined : schema[definition.extends];
  return { ...(parent ? attributesOf(schema, parent) : {}), ...definition.attributes };
}

function checkAttribute(schema: Schema, attribute: Attribute, value: unknown, at: string): string[] {
  if (!attribute.array) return checkItem(schema, attribute, value, at);
  if (!Array.isArray(value)) return [`${at}: not an array`];
  // Neither standard allows empty lists.
  if (value.length === 0) return [`${at}: empty`];
  return value.flatMap((item, index) => checkItem(schema, attribute, item, `${at}[${index}]`));
}

function checkItem(schema: Schema, { type, enum: known }: Attribute, value: unknown, at: string): string[] {
  if (known && !known.includes(value)) return [`${at}: ${JSON.stringify(value)} is not known`];
  const isOfType = SCALARS[type];
  if (!isOfType) return checkAgainst(schema, type, value, at);
  return isOfType(value) ? [] : [`${at}: ${JSON.stringify(value)} is not ${type}`];
}
