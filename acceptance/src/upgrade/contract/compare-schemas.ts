/** A JSON Schema of an OpenAPI document. */
export type Schema = { readonly [keyword: string]: unknown };

/** The values of requests must be accepted by the service, those of responses by its callers. */
type Side = 'request' | 'response';

export interface ComparedSchemas {
  readonly side: Side;
  /** Where the values are: `body.severity`. */
  readonly at: string;
  /** Follows a reference in the document of each schema. */
  readonly resolveOld: (schema: Schema) => Schema;
  readonly resolveNew: (schema: Schema) => Schema;
}

/** Bounds that reject more values when they fall. */
const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
/** Bounds that reject more values when they rise. */
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
/** Keywords that reject values when they are added or changed. */
const FORMS = ['pattern', 'format', 'uniqueItems', 'const'] as const;
/** Schemas refer to themselves: deeper than this, they have been compared before. */
const MAX_DEPTH = 12;

/** Returns how a schema breaks what docs/versioning.md promises about the one before. */
export function compareSchemas(
  before: Schema,
  after: Schema,
  compared: ComparedSchemas,
  depth = 0,
): string[] {
  if (depth > MAX_DEPTH) return [];
  const [olds, news] = [
    alternativesOf(before, compared.resolveOld),
    alternativesOf(after, compared.resolveNew),
  ];
  const [given, accepted] = compared.side === 'request' ? [olds, news] : [news, olds];
  return given.flatMap((one) => {
    const attempts = accepted.map((other) => {
      const [older, newer] = compared.side === 'request' ? [one, other] : [other, one];
      return compareOne(older, newer, compared, depth);
    });
    return attempts.reduce((best, attempt) => (attempt.length < best.length ? attempt : best));
  });
}

function alternativesOf(schema: Schema, resolve: (schema: Schema) => Schema): Schema[] {
  const { anyOf, ...rest } = resolve(schema);
  if (!Array.isArray(anyOf)) return [rest];
  return anyOf.flatMap((one: Schema) => alternativesOf({ ...rest, ...resolve(one) }, resolve));
}

function compareOne(before: Schema, after: Schema, compared: ComparedSchemas, depth: number): string[] {
  const type = compareTypes(before, after, compared);
  if (type.length > 0) return type;
  return [
    ...(compared.side === 'request' ? compareBounds(before, after, compared.at) : []),
    ...compareMembers(before, after, compared, depth),
    ...(isSchema(before.items) && isSchema(after.items)
      ? compareSchemas(before.items, after.items, { ...compared, at: `${compared.at}[]` }, depth + 1)
      : []),
  ];
}

function compareTypes(before: Schema, after: Schema, { side, at }: ComparedSchemas): string[] {
  const [olds, news] = [typesOf(before), typesOf(after)];
  if (olds.size === 0 || news.size === 0) {
    const isWider = side === 'request' ? news.size === 0 : olds.size === 0;
    return isWider ? [] : [`${at} has another type`];
  }
  const [given, accepted] = side === 'request' ? [olds, news] : [news, olds];
  const lost = [...given].filter((type) => !accepts(accepted, type));
  return lost.map((type) =>
    side === 'request' ? `${at} must not be ${type} any more` : `${at} can be ${type}`,
  );
}

function typesOf({ type }: Schema): Set<string> {
  if (type === undefined) return new Set();
  return new Set(Array.isArray(type) ? type.map(String) : [String(type)]);
}

function accepts(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function compareBounds(before: Schema, after: Schema, at: string): string[] {
  if (Array.isArray(before.enum)) return compareValues(before.enum, after, at);
  const problems: string[] = [];
  for (const keyword of UPPER) {
    const highest = keyword === 'maxLength' ? maxLengthOf(before) : toNumber(before[keyword], Infinity);
    if (toNumber(after[keyword], Infinity) < highest)
      problems.push(`${at} has ${keyword} ${String(after[keyword])}`);
  }
  for (const keyword of LOWER) {
    if (toNumber(after[keyword], -Infinity) > toNumber(before[keyword], LOWEST[keyword]))
      problems.push(`${at} has ${keyword} ${String(after[keyword])}`);
  }
  for (const keyword of FORMS) {
    const isNarrower = after[keyword] !== undefined && after[keyword] !== false;
    if (isNarrower && after[keyword] !== before[keyword]) problems.push(`${at} has another ${keyword}`);
  }
  if (Array.isArray(after.enum)) problems.push(`${at} accepts listed values only`);
  return problems;
}

/** Of listed values, each must still be accepted. */
function compareValues(values: readonly unknown[], after: Schema, at: string): string[] {
  const isAccepted = (value: unknown) =>
    (!Array.isArray(after.enum) || after.enum.includes(value)) &&
    (typeof after.pattern !== 'string' || new RegExp(after.pattern, 'u').test(String(value))) &&
    (typeof value !== 'string' || value.length <= toNumber(after.maxLength, Infinity));
  const refused = values.filter((value) => !isAccepted(value));
  return refused.map((value) => `${at} must not be ${JSON.stringify(value)} any more`);
}

function toNumber(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** How long a string can be. An identifier was limited by its pattern before it had a `maxLength`. */
function maxLengthOf({ maxLength, pattern }: Schema): number {
  return Math.min(
    toNumber(maxLength, Infinity),
    typeof pattern === 'string' ? longestMatch(pattern) : Infinity,
  );
}

/** Of the patterns of identifiers and hashes: `^(?:evt|inc)_[A-Za-z0-9_-]{1,64}$`, `^[0-9a-f]{64}$`. */
const BOUNDED = /^\^(?:\(\?:)?([a-z|]*)\)?(_?)\[[^\]]+\]\{(?:\d+,)?(\d+)\}\$$/;

function longestMatch(pattern: string): number {
  const [, prefixes, separator = '', most] = BOUNDED.exec(pattern) ?? [];
  if (prefixes === undefined) return Infinity;
  return Math.max(...prefixes.split('|').map(({ length }) => length)) + separator.length + Number(most);
}

/** What an absent bound means. */
const LOWEST = { minimum: -Infinity, minLength: 0, minItems: 0, minProperties: 0 } as const;

function compareMembers(before: Schema, after: Schema, compared: ComparedSchemas, depth: number): string[] {
  const { side, at } = compared;
  const [olds, news] = [membersOf(before), membersOf(after)];
  const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)];
  const problems: string[] = [];
  if (side === 'request' && before.additionalProperties !== false && after.additionalProperties === false)
    if (before.type === 'object') problems.push(`${at} accepts no other members`);
  for (const [name, older] of Object.entries(olds)) {
    const newer = news[name];
    const inside = `${at}.${name}`;
    if (newer === undefined) {
      if (side === 'response' || after.additionalProperties === false) problems.push(`${inside} is removed`);
      continue;
    }
    if (side === 'response' && wasRequired.includes(name) && !isRequired.includes(name))
      problems.push(`${inside} can be absent`);
    problems.push(...compareSchemas(older, newer, { ...compared, at: inside }, depth + 1));
  }
  if (side === 'request') {
    for (const name of isRequired)
      if (!wasRequired.includes(name)) problems.push(`${at}.${name} is required`);
  }
  return problems;
}

function membersOf({ properties }: Schema): Readonly<Record<string, Schema>> {
  return (properties ?? {}) as Record<string, Schema>;
}

function requiredOf({ required }: Schema): readonly string[] {
  return (required ?? []) as string[];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
