import { ErrorBody, errorCodesOf, type Operation, operations, Problem, toPlainSchema } from '@tps/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

export interface TestRequest {
  readonly credential?: string;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined when there is none. */
  readonly body: unknown;
  readonly text: string;
}

export interface ContractClient {
  /** Sends a request over HTTP. Throws when the answer is not one that the contract describes. */
  send(method: string, path: string, request?: TestRequest): Promise<TestAnswer>;
}

/** RFC 3339, section 5.6. Stored events keep the offset that their device wrote. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
ajv.addFormat('date-time', RFC_3339);
ajv.addFormat('uri-reference', true);
ajv.addFormat('uri', (text: string) => URL.canParse(text));
const validators = new Map<TSchema, ValidateFunction>();

/** Statuses that belong to no operation: the path or the method is none of the contract's. */
const OUTSIDE = [404, 405];
const REQUIRED_HEADERS = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Makes a client that holds every answer against the contract: status, body, error code, headers. */
export function createContractClient(baseUrl: string): ContractClient {
  return {
    async send(method, path, { credential, body, headers = {} } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const answer = {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? (JSON.parse(text) as unknown) : undefined,
      };
      checkAnswer(answer, { method, path });
      return answer;
    },
  };
}

/** Throws when an answer is not one that the contract describes. */
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
      : OUTSIDE.includes(answer.status) || answer.status === 429
  )
    return;
  throw new Error(
    `${what} with ${code}, which the contract does not know of ${operation?.operationId ?? 'this path'}`,
  );
}

function check(schema: TSchema, value: unknown, what: string): void {
  const validate = validators.get(schema) ?? ajv.compile(toPlainSchema(schema));
  validators.set(schema, validate);
  if (!validate(value))
    throw new Error(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}

/** Finds the operation of a path; one without `{id}` before one with. */
export function findOperation(method: string, path: string): Operation | undefined {
  const [bare = ''] = path.split('?');
  const matching = operations.filter(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${operation.path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`).test(bare),
  );
  return matching.find((operation) => operation.id === undefined) ?? matching[0];
}
