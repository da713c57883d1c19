import type { TSchema } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { errorCodesOf } from './error-codes.ts';
import { OPTIONAL_HEADERS, SIGNATURE_HEADERS } from './headers.ts';
import type { BoundCredential, Deprecation, Operation, ResponseSpec } from './operation.ts';
import type { Json } from './plain-schema.ts';
import { toErrorResponses, toResponse } from './responses.ts';
import { isPrototype, PROTOTYPE } from './stability.ts';

const OPEN_TO: Readonly<Record<BoundCredential, string>> = {
  device: 'Device credentials may call it, for their own device.',
  enrolment: 'Enrolment secrets may call it.',
};

/** Turns an operation into an operation object. `refer` maps a schema; shared error responses are added to `responses`. */
export function toPathItem(operation: Operation, refer: (schema: TSchema) => Json, responses: Json): Json {
  const { scope, legacyScope, body } = operation;
  const scopes = [scope, legacyScope].filter((one) => one !== null && one !== undefined);
  const parameters = toParameters(operation, refer);
  const prototype = isPrototype(operation.path);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [
      operation.description,
      prototype && PROTOTYPE.sentence,
      operation.deprecated && describeDeprecation(operation.deprecated),
      scope === null
        ? 'Public: needs no credential and returns no tenant data.'
        : `Requires the scope \`${scope}\`.`,
      legacyScope && `The scope \`${legacyScope}\` is also accepted, for older credentials.`,
      ...(operation.openTo ?? []).map((credential) => OPEN_TO[credential]),
      operation.recentSignIn &&
        'A person who uses a client of the service itself, such as `tps`, must have signed in within the last ten minutes; otherwise 401 `reauthentication_required`.',
      operation.signature && `The device signs the request (RFC 9421, tag \`${operation.signature}\`).`,
    ]
      .filter(Boolean)
      .join(' '),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(prototype ? PROTOTYPE.member : {}),
    ...(scope === null ? {} : { 'x-required-scope': scope }),
    ...(legacyScope === undefined ? {} : { 'x-legacy-scope': legacyScope }),
    ...(operation.openTo ? { 'x-open-to': operation.openTo } : {}),
    ...(operation.recentSignIn ? { 'x-recent-sign-in': true } : {}),
    ...(operation.signature ? { 'x-signature-tag': operation.signature } : {}),
    security: scopes.flatMap((one) => [{ bearer: [one] }, { apiKey: [one] }, { oauth2: [one] }]),
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
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          toResponse(
            operation.deprecated ? withDeprecation(response, operation.deprecated) : response,
            refer,
          ),
        ]),
      ),
      ...toErrorResponses(errorCodesOf(operation), responses),
    },
  };
}

function describeDeprecation({ since, sunset, instead }: Deprecation): string {
  const end = sunset === undefined ? '' : ` It may be removed from ${sunset} on.`;
  return `Deprecated since ${since}. ${instead}${end}`;
}

function withDeprecation(response: ResponseSpec, { sunset }: Deprecation): ResponseSpec {
  const names = sunset === undefined ? (['Deprecation'] as const) : (['Deprecation', 'Sunset'] as const);
  return { ...response, headers: [...(response.headers ?? []), ...names] };
}

function toParameters(operation: Operation, refer: (schema: TSchema) => Json): Json[] {
  const header = (name: string, isRequired: boolean, description: string, schema: Json) => ({
    name,
    in: 'header',
    required: isRequired,
    description,
    schema,
  });
  const query = operation.query?.properties ?? {};
  const required: readonly string[] = operation.query?.required ?? [];
  return [
    ...(operation.id
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: `ID of the ${operation.id.replace('_', ' ')}.`,
            schema: refer(idOf(operation.id)),
          },
        ]
      : []),
    ...Object.entries(query).map(([name, schema]) => {
      const { description = `Only items with this ${name}.`, ...plain } = refer(schema);
      return { name, in: 'query', required: required.includes(name), description, schema: plain };
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
