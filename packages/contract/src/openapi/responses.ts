import type { TSchema } from 'typebox';
import { ERROR_STATUS, type ErrorCode } from '../schema/errors.ts';
import { errorExample } from './error-examples.ts';
import { RATE_LIMIT_HEADERS } from './headers.ts';
import type { Answer } from './operation.ts';
import type { Json } from './plain-schema.ts';

/** Turns a successful answer into a response object. */
export function toAnswer(answer: Answer, refer: (schema: TSchema) => Json): Json {
  return {
    description: answer.description,
    headers: toHeaders([...RATE_LIMIT_HEADERS, ...(answer.headers ?? [])]),
    ...(answer.schema
      ? {
          content: {
            [answer.mediaType ?? 'application/json']: {
              schema: refer(answer.schema),
              example: answer.example,
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
export function toErrorAnswers(codes: readonly ErrorCode[], components: Json): Json {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status).sort();
      const name = [status, ...ofStatus].join('.');
      components[name] ??= toErrorAnswer(status, ofStatus);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function toErrorAnswer(status: number, codes: readonly ErrorCode[]): Json {
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

/** Builds the two examples of an error code: the usual body, and RFC 9457. */
export function toErrorExamples(code: ErrorCode): [string, Json][] {
  const body = errorExample(code);
  const problem = {
    type: 'about:blank',
    title: code,
    status: body.error.status,
    detail: body.error.message,
    code,
  };
  return [
    [code, { summary: code, value: body }],
    [`${code}_problem`, { summary: code, value: problem }],
  ];
}

function toHeaders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
