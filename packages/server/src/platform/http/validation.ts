import {
  type ErrorCode,
  type FieldProblem,
  MAX_FILTER_VALUES,
  MAX_PROBLEMS,
  toPlainSchema,
} from '@tps/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Static, TObject, TSchema } from 'typebox';
import { findClosest } from '../closest-name.ts';
import { ServiceError } from '../service-error.ts';
import { hasNul } from '../text.ts';
import { parseTimestamp } from '../time.ts';
import { addHint } from './query-hints.ts';

/** How much of a filter is compared with its values. */
const MAX_FILTER_LENGTH = 256;
/** A request of people has fewer parts. Larger ones get the first problem only. */
const MAX_PARTS = 1_000;

/**
 * Validates a value against a schema and returns it typed and unchanged. Throws a ServiceError that names the
 * member.
 */
export type Validator<Schema extends TSchema> = (value: unknown) => Static<Schema>;

/** Compiles the validation of a request body: `missing_field` or `invalid_field`. Nothing is coerced. */
export function compileBodyValidator<Schema extends TSchema>(schema: Schema): Validator<Schema> {
  const compiled = compile(schema);
  const toBodyFault = (error: ErrorObject) => toFault(error, bodyCodes);
  return (value) => {
    const { validate, findAll } = compiled();
    if (validate(value)) return value as Static<Schema>;
    const [first, ...rest] = (validate.errors ?? []).map(toBodyFault);
    if (!first) throw new ServiceError('invalid_field', 'The body is not valid.');
    const all = () => (isSmall(value) ? findAll(value).map(toBodyFault) : rest);
    throw toServiceError(first, all);
  };
}

/**
 * Compiles the validation of a query string. Values arrive as text; integers and booleans are accepted in their
 * plain spelling only (`5`, not `1e2` or ` 5`). A repeated or unknown parameter is rejected, and so is U+0000.
 */
export function compileQueryValidator<Schema extends TObject>(schema: Schema): Validator<Schema> {
  const compiled = compile(schema);
  const types = new Map(
    Object.entries(schema.properties).map(([name, member]) => [name, (member as { type?: string }).type]),
  );
  return (query) => {
    const values: Record<string, unknown> = {};
    const problems: Fault[] = [];
    const refuse = (field: string, reason: string, code: FieldProblem['code'] = 'invalid_parameter') =>
      problems.push({ field, code, describe: () => `${field} ${reason}` });
    for (const [name, text] of Object.entries(query as Record<string, unknown>)) {
      if (!types.has(name))
        refuse(quote(name), `is not a parameter of this operation${suggest(name, [...types.keys()])}`);
      else if (typeof text !== 'string') refuse(name, 'was given more than once');
      else if (hasNul(text)) refuse(name, 'contains U+0000', queryCodeOf(`/${name}`));
      else values[name] = decode(text, types.get(name));
    }
    const { validate, findAll } = compiled();
    if (validate(values) && problems.length === 0) return values as Static<Schema>;
    // A query is small: the length of the URL bounds it.
    for (const error of findAll(values)) {
      const { field, code, describe } = toFault(error, queryCodes);
      problems.push({ field, code, describe: () => addHint(describe(), { field, value: values[field] }) });
    }
    const [first, ...rest] = problems;
    if (!first) throw new ServiceError('invalid_parameter', 'The query is not valid');
    throw toServiceError(first, () => rest);
  };
}

/** The schemas themselves are not checked here: a contract test does that, and it takes longer than all the rest. */
const AJV_OPTIONS = {
  meta: false,
  validateSchema: false,
  strict: true,
  strictTypes: false,
  ownProperties: true,
  // For the message of a filter, which lists its values.
  verbose: true,
  keywords: ['x-values'],
  formats: { 'date-time': (text: string) => parseTimestamp(text) !== undefined },
};
const ajv = new Ajv2020(AJV_OPTIONS);
/** Finds every problem, in a time and memory that grow with their number: only for small values. */
const thoroughAjv = new Ajv2020({ ...AJV_OPTIONS, allErrors: true });

interface CompiledSchema {
  /** Ends at the first error. */
  readonly validate: ValidateFunction;
  readonly findAll: (value: unknown) => readonly ErrorObject[];
}

/** Compiles on first use: all operations together add 0.25 s to the start, and most are not needed soon. */
function compile(schema: TSchema): () => CompiledSchema {
  const plain = once(() => toPlainSchema(schema));
  const thorough = once(() => thoroughAjv.compile(plain()));
  return once(() => ({
    validate: ajv.compile(plain()),
    findAll: (value) => (thorough()(value) ? [] : (thorough().errors ?? [])),
  }));
}

function once<Value>(create: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}

function decode(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

type CodeOf = (error: ErrorObject) => ErrorCode;

const bodyCodes: CodeOf = ({ keyword }) => (keyword === 'required' ? 'missing_field' : 'invalid_field');
const queryCodes: CodeOf = ({ instancePath }) => queryCodeOf(instancePath);

function queryCodeOf(instancePath: string): 'invalid_cursor' | 'invalid_parameter' {
  return instancePath === '/cursor' ? 'invalid_cursor' : 'invalid_parameter';
}

/** A problem whose message is written when it is listed: suggestions take time. */
interface Fault extends Pick<FieldProblem, 'field' | 'code'> {
  readonly describe: () => string;
}

/** The error of the first problem. One member has one problem: its alternatives are not problems of their own. */
function toServiceError(first: Fault, findOthers: () => readonly Fault[]): ServiceError {
  const message = first.describe();
  return new ServiceError(first.code, message, {
    listProblems() {
      const { field, code } = first;
      const byField = new Map<string, FieldProblem>([[field, { field, code, message }]]);
      for (const { field, code, describe } of findOthers()) {
        if (byField.size === MAX_PROBLEMS) break;
        if (!byField.has(field)) byField.set(field, { field, code, message: describe() });
      }
      return [...byField.values()];
    },
  });
}

/** Returns whether a value has few enough parts to look for all of its problems. */
function isSmall(value: unknown): boolean {
  let parts = 0;
  const isWithin = (part: unknown): boolean => {
    parts += 1;
    if (parts > MAX_PARTS) return false;
    return typeof part !== 'object' || part === null || Object.values(part).every(isWithin);
  };
  return isWithin(value);
}

/** Describes which member is wrong and what it must be. Never repeats a value, which may be a secret. */
function toFault(error: ErrorObject, codeOf: CodeOf): Fault {
  const { keyword, params } = error;
  const at = toMemberPath(error.instancePath);
  const member = keyword === 'required' ? params.missingProperty : params.additionalProperty;
  const inner = member === undefined ? '' : `${at === '' ? '' : '.'}${quote(String(member))}`;
  const field = `${at}${inner}`;
  const name = field === '' ? 'The body' : field;
  return { field, code: codeOf(error), describe: () => `${name} ${toReason(error)}` };
}

function toReason({ keyword, params, message, parentSchema, data }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return `is not a known member${suggest(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}))}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}${suggest(data, params.allowedValues)}`;
    case 'format':
      return 'must be an RFC 3339 time with an offset, such as 2026-03-02T09:15:03Z';
    case 'pattern':
      if (parentSchema?.['x-values']) return toFilterReason(parentSchema['x-values'], data);
      return `must match ${String(params.pattern)}`;
    default:
      return message ?? 'is not valid';
  }
}

function toFilterReason(values: readonly string[], data: unknown): string {
  const most = MAX_FILTER_VALUES;
  const given = String(data).slice(0, MAX_FILTER_LENGTH).replace(/^!/, '').split(',');
  const wrong = given.find((value) => !values.includes(value));
  return `must be at most ${most} values separated by commas, with ! before the first for none of them: ${values.join(', ')}${suggest(wrong, values)}`;
}

/** Names what was probably meant. The given value is not repeated. */
function suggest(given: unknown, known: readonly unknown[]): string {
  const names = known.filter((value) => typeof value === 'string');
  const closest = typeof given === 'string' ? findClosest(given, names) : undefined;
  return closest === undefined ? '' : `; did you mean ${closest}?`;
}

/** `/events/0/severity` becomes `events[0].severity`. */
function toMemberPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 64))
    .reduce(
      (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
      '',
    );
}

function quote(name: string): string {
  return name.slice(0, 64);
}
