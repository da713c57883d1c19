import { resolveSchema, type Schema } from './openapi-document.ts';

/** One fault in an otherwise valid body or query. */
export interface Fault {
  readonly what: string;
  /** Returns the text that is sent instead of the valid body. */
  readonly apply: (body: Record<string, unknown>) => string;
}

/** Lists each single fault that a body can have according to a schema of the document. */
export function faultsOf(given: Schema): Fault[] {
  const schema = resolveSchema(given);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = (schema.required ?? []) as string[];
  return [
    ...TEXT_FAULTS,
    ...required.map((name) => ({
      what: `${name} is missing`,
      apply: (body: Record<string, unknown>) => JSON.stringify({ ...body, [name]: undefined }),
    })),
    ...properties.flatMap(([name, member]) =>
      wrongValuesOf(resolveSchema(member)).map((value) => ({
        what: `${name} is ${JSON.stringify(value)?.slice(0, 40)}`,
        apply: (body: Record<string, unknown>) => JSON.stringify({ ...body, [name]: value }),
      })),
    ),
  ];
}

/** Invalid values; each is wrong in one way. */
export function wrongValuesOf(schema: Schema): unknown[] {
  const { type, enum: values, anyOf, maxLength, minLength, maximum, minimum, maxItems, minItems } = schema;
  const mayBeNull = Array.isArray(anyOf) && anyOf.some((one) => (one as Schema).type === 'null');
  return [
    ...(mayBeNull ? [] : [null]),
    ...(type === 'object' ? [[], 'text'] : [{ nested: true }]),
    ...(type === 'string' ? [5, false] : []),
    ...(type === 'boolean' ? ['true', 1] : []),
    ...(type === 'integer' || type === 'number' ? ['5', true] : []),
    ...(type === 'integer' ? [1.5] : []),
    ...(Array.isArray(values) ? ['nothing of the kind'] : []),
    ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
    ...(typeof minLength === 'number' && minLength > 0 ? [''] : []),
    ...(typeof maximum === 'number' ? [maximum * 2 + 1] : []),
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maxItems === 'number' ? [Array.from({ length: maxItems + 1 }, () => 'x')] : []),
    ...(typeof minItems === 'number' && minItems > 0 ? [[]] : []),
    ...(type === 'string' ? ['lone \ud800 surrogate', 'zero \0'] : []),
  ];
}

const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const withText = (body: object, members: string) => `${JSON.stringify(body).slice(0, -1)},${members}}`;

const TEXT_FAULTS: readonly Fault[] = [
  { what: 'the text ends early', apply: (body) => JSON.stringify(body).slice(0, -1) },
  { what: 'more text follows', apply: (body) => `${JSON.stringify(body)}{}` },
  { what: 'it is an array', apply: (body) => JSON.stringify([body]) },
  { what: 'it is null', apply: () => 'null' },
  { what: 'it has an unknown member', apply: (body) => JSON.stringify({ ...body, surprise: 1 }) },
  { what: 'it names __proto__', apply: (body) => withText({ a: 1, ...body }, '"__proto__":{"x":1}') },
  {
    what: 'a member occurs twice',
    apply: (body) => withText({ tenant_id: 'tnt_a', ...body }, '"tenant_id":"tnt_a"'),
  },
  { what: 'it is nested 40 deep', apply: (body) => withText({ a: 1, ...body }, `"deep":${nest(40)}`) },
];
