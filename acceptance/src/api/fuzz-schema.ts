import fc from 'fast-check';
import { resolveSchema, type Schema } from './openapi-document.ts';

/** Names that have caused faults in programs. They must be harmless in open objects. */
const AWKWARD_NAMES = ['constructor', 'toString', 'hasOwnProperty', '', ' ', '\u2028', 'a.b', '$ref', 'ключ'];
const REFUSED_NAMES = /"(?:__proto__|prototype)":/;
const MAX_STRING_LENGTH = 60;

/** Generates values that are valid by a schema of the document. Supports the keywords that the document uses. */
export function arbitraryOf(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolveSchema(given);
  const { enum: values, anyOf, type } = schema;
  if (Array.isArray(values)) return fc.constantFrom(...values);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => arbitraryOf(one as Schema)));
  switch (type) {
    case 'string':
      return arbitraryString(schema);
    case 'integer':
      return fc.integer({ min: numberOf(schema.minimum, -1000), max: numberOf(schema.maximum, 1000) });
    case 'number':
      return fc.double({
        min: numberOf(schema.minimum, -1e6),
        max: numberOf(schema.maximum, 1e6),
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arbitraryArray(schema);
    case 'object':
      return arbitraryObject(schema);
    case undefined:
      return arbitraryJson(3);
    default:
      throw new Error(`no arbitrary for ${JSON.stringify(schema)}`);
  }
}

function arbitraryString({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const max = Math.min(numberOf(maxLength, MAX_STRING_LENGTH), MAX_STRING_LENGTH);
  if (typeof pattern === 'string') {
    // A pattern without a length gets the bounds of the schema.
    const bounded = pattern.replace(/\+\$$/, `{${numberOf(minLength, 1)},${max}}$`);
    return fc.stringMatching(new RegExp(bounded));
  }
  if (format === 'date-time') return arbitraryTimestamp();
  const bounds = { minLength: Math.min(numberOf(minLength, 0), max), maxLength: max };
  // U+0000 is refused by rule, so a valid string does not contain it.
  const text = fc.string({ unit: 'binary', ...bounds }).map((value) => value.replaceAll('\0', '-'));
  return fc.oneof(fc.string(bounds), text);
}

function arbitraryTimestamp(): fc.Arbitrary<string> {
  const around = fc.integer({ min: -200 * 86_400, max: 86_400 });
  const anytime = fc.date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true });
  const spelt = fc.oneof(
    around.map((seconds) => new Date(Date.now() + seconds * 1000)),
    anytime,
  );
  return fc
    .tuple(spelt, fc.constantFrom('Z', '+00:00', '-23:59', '+05:30', 'z'))
    .map(([date, zone]) => date.toISOString().replace('Z', zone));
}

function arbitraryArray({ items, minItems, maxItems, uniqueItems }: Schema): fc.Arbitrary<unknown[]> {
  const item = arbitraryOf((items ?? {}) as Schema);
  const bounds = { minLength: numberOf(minItems, 0), maxLength: Math.min(numberOf(maxItems, 5), 5) };
  return uniqueItems ? fc.uniqueArray(item, bounds) : fc.array(item, bounds);
}

function arbitraryObject(schema: Schema): fc.Arbitrary<object> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, arbitraryOf(member)]),
  );
  const listed = fc
    .record(members, { requiredKeys: (schema.required ?? []) as string[] })
    .filter((object) => Object.keys(object).length >= numberOf(schema.minProperties, 0));
  if (schema.additionalProperties === false) return listed;
  const name = fc.oneof(fc.constantFrom(...AWKWARD_NAMES), fc.string({ maxLength: 12 }));
  const others = fc.dictionary(
    name.filter((one) => one !== '__proto__' && !(one in properties)),
    arbitraryJson(2),
    { maxKeys: 4 },
  );
  return fc.tuple(others, listed).map(([extra, known]) => ({ ...extra, ...known }));
}

/** Any JSON value without the member names and large numbers that are refused by rule at any depth. */
function arbitraryJson(maxDepth: number): fc.Arbitrary<unknown> {
  return fc
    .jsonValue({ maxDepth })
    .filter((value) => !REFUSED_NAMES.test(JSON.stringify(value)))
    .map(withSmallNumbers);
}

function withSmallNumbers(value: unknown): unknown {
  if (typeof value === 'number') return value % 2 ** 53;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSmallNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withSmallNumbers(member)]));
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
