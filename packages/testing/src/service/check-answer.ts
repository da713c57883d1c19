import { ErrorBody, errorCodesOf, type Operation, operations, Problem, toPlainSchema } from '@tps/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined for any other body. */
  readonly body: unknown;
  readonly text: string;
}

/** RFC 3339, section 5.6. Stored events keep the offset that their device wrote. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
ajv.addFormat('date-time', RFC_3339);
ajv.addFormat('uri-reference', true);
ajv.addFormat('uri', (text: string) => URL.canParse(text));
const validators = new Map<TSchema, ValidateFunction>();

/** Statuses of requests that match no operation: the contract does not have the path or the method. */
const UNMATCHED_STATUSES = [404, 405];
const REQUIRED_HEADERS = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Throws if the contract does not describe the answer. */
export function checkAnswer(answer: TestAnswer, { method, path }: { method: string; path: string }): void {
  const what = `${method} ${path.split('?')[0]} answered ${answer.status}`;
  const operation = findOperation(method, path);
  const described = operation?.responses[answer.status];
  for (const header of REQUIRED_HEADERS) {
    if (!answer.headers.has(header) && answer.status < 500) throw new Error(`${what} without ${header}`);
  }
  if (described?.schema && answer.body !== undefined) check(described.schema, answer.body, what);
  else if (!described) checkError(answer, { operation, what });
}

function checkError(
  answer: TestAnswer,
  { operation, what }: { operation: Operation | undefined; what: string },
): void {
  const isProblem = answer.headers.get('content-type')?.includes('problem+json') ?? false;
  check(isProblem ? Problem : ErrorBody, answer.body, what);
  const code = isProblem ? (answer.body as Problem).code : (answer.body as ErrorBody).error.code;
  if (
    operation
      ? errorCodesOf(operation).includes(code)
      : UNMATCHED_STATUSES.includes(answer.status) || answer.status === 429
  )
    return;
  throw new Error(
    `${what} with ${code}, which the contract does not list for ${operation?.operationId ?? 'this path'}`,
  );
}

function check(schema: TSchema, value: unknown, what: string): void {
  const validate = validators.get(schema) ?? ajv.compile(toPlainSchema(schema));
  validators.set(schema, validate);
  if (!validate(value))
    throw new Error(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}

const patterns = operations
  // `/jobs/audit` before `/jobs/{id}`.
  .toSorted((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined))
  .map((operation) => {
    const path = operation.path.replaceAll('.', '\\.').replace('{id}', '[^/]+');
    return { operation, pattern: new RegExp(`^${operation.method} ${path}$`) };
  });

/** Finds the operation of a request; a path without `{id}` has precedence. */
function findOperation(method: string, path: string): Operation | undefined {
  const request = `${method} ${path.split('?')[0]}`;
  return patterns.find(({ pattern }) => pattern.test(request))?.operation;
}
