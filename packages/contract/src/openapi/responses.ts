import type { TSchema } from 'typebox';
import { ERROR_STATUS, type ErrorBody, type ErrorCode, type FieldProblem } from '../schema/errors.ts';
import { errorExample } from './error-examples.ts';
import { RATE_LIMIT_HEADERS } from './headers.ts';
import type { ResponseSpec } from './operation.ts';
import type { Json } from './plain-schema.ts';

/** Turns a successful response into a response object. */
export function toResponse(response: ResponseSpec, refer: (schema: TSchema) => Json): Json {
  return {
    description: response.description,
    headers: toHeaders([...RATE_LIMIT_HEADERS, ...(response.headers ?? [])]),
    ...(response.schema
      ? {
          content: {
            [response.mediaType ?? 'application/json']: {
              schema: refer(response.schema),
              example: response.example,
            },
          },
        }
      : {}),
  };
}

/**
 * Turns error codes into references to response components, one per status.
 * Operations that share a status and its codes share the component.
 */
export function toErrorResponses(codes: readonly ErrorCode[], components: Json): Json {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status).sort();
      const name = [status, ...ofStatus].join('.');
      components[name] ??= toErrorResponse(status, ofStatus);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function toErrorResponse(status: number, codes: readonly ErrorCode[]): Json {
  const examples = (suffix: string) =>
    Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}${suffix}` }]));
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: toHeaders([
      ...RATE_LIMIT_HEADERS,
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ]),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: examples('') },
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: examples('_problem'),
      },
    },
  };
}

/** Reason phrases as in `STATUS_CODES` of Node, which the service sends. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Returns the two examples of an error code: the usual body and the RFC 9457 form. */
export function toErrorExamples(code: ErrorCode): [string, Json][] {
  const body = errorExample(code);
  const problem = {
    type: 'about:blank',
    title: TITLES[body.error.status],
    status: body.error.status,
    detail: body.error.message,
    code,
    ...(FIELD_CODES.has(code) ? { errors: [toFieldProblem(body)] } : {}),
  };
  return [
    [code, { summary: code, value: body }],
    [`${code}_problem`, { summary: code, value: problem }],
  ];
}

/** Codes of errors that name a member or parameter, and list all of them. */
const FIELD_CODES: ReadonlySet<ErrorCode> = new Set(['invalid_field', 'missing_field', 'invalid_parameter']);

function toFieldProblem({ error: { code, message } }: ErrorBody): FieldProblem {
  return { field: message.split(' ', 1)[0] ?? '', code, message };
}

function toHeaders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
