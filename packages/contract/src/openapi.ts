import type { TSchema } from 'typebox';
import { errorExample } from './error-examples.ts';
import { ERROR_STATUS, ErrorBody, type ErrorCode, Problem } from './errors.ts';
import { idOf } from './identifiers.ts';
import { type Answer, errorCodesOf, type Operation, TAGS } from './operation.ts';
import { toPlainSchema } from './plain-schema.ts';
import { SCOPE_MEANINGS } from './scopes.ts';

type Json = { [member: string]: unknown };

const RATE_LIMIT_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

const HEADERS: Json = {
  'X-Request-Id': {
    description: 'Names this request in logs and audit entries.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Most requests per 60 seconds.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the present 60 seconds.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'Unix second at which the next request is freed.',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  Location: { description: 'Where it can be read back.', schema: { type: 'string' } },
  ETag: {
    description: 'Version of what is answered, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
  },
};

const SIGNATURE_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Digest', 'RFC 9530 digest of the body: `sha-256=:<base64>:`.'],
  [
    'Signature-Input',
    'RFC 9421 parameters: `@method`, `@path`, `content-digest`; created, nonce, keyid, alg, tag.',
  ],
  ['Signature', 'RFC 9421 signature.'],
];

const OPTIONAL_HEADERS = {
  'Idempotency-Key': [
    'Repeats the first answer for the same key and body within 24 hours.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ],
  'If-Match': [
    'Refuses the change with 412 unless this is the present ETag.',
    { type: 'string', maxLength: 100 },
  ],
  'If-None-Match': [
    'Answers 304 without a body when one of these tags, or `*`, names what would be answered (RFC 9110 section 13.1.2).',
    { type: 'string' },
  ],
} as const;

/**
 * Builds the OpenAPI 3.1 document from the operations alone: same operations, same document, byte for byte.
 * Schemas with an `$id` become components.
 */
export function toOpenApi(operations: readonly Operation[], version: string): Json {
  const schemas: Json = {};
  const named = (name: string, schema: TSchema): Json => {
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = toPlainSchema(schema, named);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const refer = (schema: TSchema): Json => {
    const id = (schema as { $id?: string }).$id;
    return id === undefined ? toPlainSchema(schema, named) : named(id, schema);
  };

  const responses: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toPathItem(operation, refer, responses),
    };
  }
  refer(ErrorBody);
  refer(Problem);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Threat Protection Service',
      version,
      description:
        'Takes in signed detection events from device agents, keeps them append-only, and derives alerts, threats and incidents from them. Every error answers `{"error":{"code","message","status"}}`; send `Accept: application/problem+json` for RFC 9457.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'Where the service is reached.',
        variables: { base_url: { default: 'http://127.0.0.1:8080', description: 'Public base address.' } },
      },
    ],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sortedByName(schemas),
      headers: HEADERS,
      responses: sortedByName(responses),
      examples: Object.fromEntries(
        [...new Set(operations.flatMap(errorCodesOf))].sort().flatMap(toErrorExamples),
      ),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: `API key or token. Scopes: ${scopeList()}` },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The same credential in another header.',
        },
      },
    },
  };
}

function sortedByName(components: Json): Json {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function scopeList(): string {
  return Object.entries(SCOPE_MEANINGS)
    .map(([scope, meaning]) => `\`${scope}\` ${meaning}`)
    .join(' ');
}

function toErrorExamples(code: ErrorCode): [string, Json][] {
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

function toPathItem(operation: Operation, refer: (schema: TSchema) => Json, responses: Json): Json {
  const { scope, legacyScope, body } = operation;
  const scopes = [scope, legacyScope].filter((one) => one !== null && one !== undefined);
  const parameters = toParameters(operation, refer);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [
      operation.description,
      scope === null ? 'Open to all; holds no data.' : `Needs the scope \`${scope}\`.`,
      legacyScope && `The scope \`${legacyScope}\` is accepted as well, for credentials made before.`,
      operation.signature && `Signed by the device (RFC 9421, tag \`${operation.signature}\`).`,
    ]
      .filter(Boolean)
      .join(' '),
    ...(scope === null ? {} : { 'x-required-scope': scope }),
    ...(legacyScope === undefined ? {} : { 'x-legacy-scope': legacyScope }),
    ...(operation.signature ? { 'x-signature-tag': operation.signature } : {}),
    security: scopes.flatMap((one) => [{ bearer: [one] }, { apiKey: [one] }]),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: { 'application/json': { schema: refer(body), example: operation.bodyExample } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [status, toAnswer(answer, refer)]),
      ),
      ...toErrorAnswers(errorCodesOf(operation), responses),
    },
  };
}

function toParameters(operation: Operation, refer: (schema: TSchema) => Json): Json[] {
  const header = (name: string, required: boolean, description: string, schema: Json) => ({
    name,
    in: 'header',
    required,
    description,
    schema,
  });
  const query = operation.query?.properties ?? {};
  const needed: readonly string[] = operation.query?.required ?? [];
  return [
    ...(operation.id
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: `Id of the ${operation.id}.`,
            schema: refer(idOf(operation.id)),
          },
        ]
      : []),
    ...Object.entries(query).map(([name, schema]) => {
      const { description = `Only items with this ${name}.`, ...plain } = refer(schema);
      return { name, in: 'query', required: needed.includes(name), description, schema: plain };
    }),
    ...(operation.signature
      ? SIGNATURE_HEADERS.map(([name, text]) => header(name, true, text, { type: 'string' }))
      : []),
    ...(operation.headers ?? []).map((name) => {
      const [text, schema] = OPTIONAL_HEADERS[name];
      return header(name, false, text, schema);
    }),
  ];
}

function toHeaders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function toAnswer(answer: Answer, refer: (schema: TSchema) => Json): Json {
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

/** Operations that share a status and its codes share the component. */
function toErrorAnswers(codes: readonly ErrorCode[], components: Json): Json {
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
