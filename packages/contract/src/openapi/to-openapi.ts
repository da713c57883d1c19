import type { TSchema } from 'typebox';
import { ErrorBody, Problem } from '../schema/errors.ts';
import { SCOPE_MEANINGS } from '../schema/scopes.ts';
import { toWebhooks } from './deliveries.ts';
import { errorCodesOf } from './error-codes.ts';
import { DEPRECATION_HEADERS, HEADERS } from './headers.ts';
import { INTRODUCTION } from './introduction.ts';
import { type Operation, TAGS } from './operation.ts';
import { toPathItem } from './path-item.ts';
import { type Json, toPlainSchema } from './plain-schema.ts';
import { toErrorExamples } from './responses.ts';

/**
 * Builds the OpenAPI 3.1 document from the operations. The same operations produce the same document, byte for byte.
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
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: SERVERS,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: toWebhooks(refer),
    components: {
      schemas: sortedByName(schemas),
      headers: operations.some(({ deprecated }) => deprecated)
        ? { ...HEADERS, ...DEPRECATION_HEADERS }
        : HEADERS,
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
        oauth2: {
          type: 'oauth2',
          description:
            'An access token, sent as a bearer token. The URLs are below `{auth_url}`, which is `{base_url}/auth` unless the operator has changed it; `{base_url}/.well-known/oauth-authorization-server` names them. Public clients need PKCE with S256. The device grant (RFC 8628) is available, too.',
          flows: {
            authorizationCode: {
              authorizationUrl: '/auth/authorize',
              tokenUrl: '/auth/token',
              refreshUrl: '/auth/token',
              scopes: SCOPE_MEANINGS,
            },
            clientCredentials: { tokenUrl: '/auth/token', scopes: SCOPE_MEANINGS },
          },
        },
      },
    },
  };
}

const SERVERS = [
  {
    url: '{base_url}',
    description: 'Address of the service: its public base URL.',
    // Without a description: the schema that generators such as orval 7 validate with misspells that member.
    variables: { base_url: { default: 'http://127.0.0.1:8080' } },
  },
];

function sortedByName(components: Json): Json {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function scopeList(): string {
  return Object.entries(SCOPE_MEANINGS)
    .map(([scope, meaning]) => `\`${scope}\` ${meaning}`)
    .join(' ');
}
