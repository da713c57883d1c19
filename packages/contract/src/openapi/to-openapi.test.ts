import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { operations } from '../operations.ts';
import { ERROR_CODES, ErrorBody, Problem } from '../schema/errors.ts';
import { SCOPES } from '../schema/scopes.ts';
import { errorCodesOf } from './error-codes.ts';
import type { Operation } from './operation.ts';
import { toOpenApi } from './to-openapi.ts';

type Json = { [member: string]: Json };
const document = toOpenApi(operations, '1.2.3') as Json;
const byName = operations.map((operation) => ({ name: operation.operationId, operation }));
const itemOf = ({ path, method }: Operation) => document.paths?.[path]?.[method.toLowerCase()] as Json;

/** Every object anywhere in the document. */
function* nodesOf(node: unknown): Generator<Json> {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) yield node as Json;
  for (const member of Object.values(node)) yield* nodesOf(member);
}

test('operations of the nouns that the specification labels as prototypes are marked', () => {
  const marked = operations.filter((operation) => itemOf(operation)['x-stability'] !== undefined);
  const firstSegments = new Set(marked.map(({ path }) => path.split('/')[1]));
  expect([...firstSegments].sort()).toEqual([
    'artifacts',
    'guidance',
    'incidents',
    'jobs',
    'tokens',
    'traces',
  ]);
  for (const operation of operations) {
    const isMarked = firstSegments.has(operation.path.split('/')[1]);
    expect(marked.includes(operation), operation.operationId).toBe(isMarked);
    expect(String(itemOf(operation).description).includes('Prototype:'), operation.operationId).toBe(
      isMarked,
    );
  }
});

describe.each(byName)('$name', ({ operation }) => {
  test('has a summary, a scope and matching security requirements', () => {
    const item = itemOf(operation);
    expect(item.operationId).toBe(operation.operationId);
    expect(operation.summary).toMatch(/^[A-Z].{3,60}$/);
    const { scope, legacyScope } = operation;
    expect(scope === null || SCOPES.includes(scope)).toBe(true);
    expect(item['x-required-scope']).toBe(scope ?? undefined);
    expect(item['x-legacy-scope']).toBe(legacyScope);
    const accepted = [scope, legacyScope].filter((one) => one !== null && one !== undefined);
    expect(item.security).toEqual(
      accepted.flatMap((one) => [{ bearer: [one] }, { apiKey: [one] }, { oauth2: [one] }]),
    );
    for (const one of accepted) expect(item.description).toContain(`\`${one}\``);
  });

  test('has responses whose examples match their schemas', () => {
    const responses = Object.entries(operation.responses);
    expect(responses.some(([status]) => status.startsWith('2'))).toBe(true);
    for (const [status, { schema, example, description }] of responses) {
      expect(description).not.toBe('');
      if (!schema) continue;
      expect([...Value.Errors(schema, example)], `${status}`).toEqual([]);
      const content = Object.values((itemOf(operation).responses?.[status]?.content ?? {}) as Json);
      expect(content[0]?.example).toEqual(example);
    }
  });

  test('has a body, if any, whose example matches its schema', () => {
    const { body, bodyExample } = operation;
    expect(itemOf(operation).requestBody === undefined).toBe(body === undefined);
    if (body) expect([...Value.Errors(body, bodyExample)]).toEqual([]);
  });

  test('marks its required query parameters', () => {
    const parameters = itemOf(operation).parameters as unknown as {
      in: string;
      name: string;
      required: boolean;
    }[];
    const required = (parameters ?? []).filter((one) => one.in === 'query' && one.required);
    expect(required.map(({ name }) => name)).toEqual(operation.query?.required ?? []);
  });

  test('lists each of its error codes under its status', () => {
    for (const code of errorCodesOf(operation)) {
      const status = String(Value.Parse(ErrorBody, exampleOf(code)).error.status);
      const reference = String(itemOf(operation).responses?.[status]?.$ref);
      const response = document.components?.responses?.[reference.replace('#/components/responses/', '')];
      expect(response?.description, code).toContain(`\`${code}\``);
    }
  });
});

function exampleOf(code: string): unknown {
  return document.components?.examples?.[code]?.value;
}

test('operation ids and paths are unique', () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});

test('the error examples are valid in both forms', () => {
  const codes = new Set(operations.flatMap(errorCodesOf));
  for (const code of codes) {
    expect(Value.Parse(ErrorBody, exampleOf(code)).error.code).toBe(code);
    expect(Value.Parse(Problem, exampleOf(`${code}_problem`)).code).toBe(code);
  }
  // No operation returns these: they are for an unknown method of a path, and for plain HTTP on the TLS port.
  const outside = ERROR_CODES.filter((code) => !codes.has(code));
  expect(outside.sort()).toEqual(['method_not_allowed', 'plaintext_rejected']);
});

test('every reference resolves, and every component is referenced', () => {
  const references = new Set(
    [...nodesOf(document)].flatMap(({ $ref }) => ($ref === undefined ? [] : [String($ref)])),
  );
  for (const reference of references) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, step) => Object(node)[step.replaceAll('~1', '/')], document);
    expect(found, reference).toBeDefined();
  }
  for (const kind of ['schemas', 'responses', 'examples', 'headers']) {
    for (const name of Object.keys(document.components?.[kind] ?? {})) {
      expect(references, name).toContain(`#/components/${kind}/${name}`);
    }
  }
});

test('every named object is closed, except the metadata of an event', () => {
  const open = Object.entries(document.components?.schemas ?? {})
    .filter(
      ([, schema]) =>
        (schema.type as unknown) === 'object' && (schema.additionalProperties as unknown) !== false,
    )
    .map(([name]) => name);
  expect(open).toEqual(['EventMetadata']);
});

test('no example looks like a working credential', () => {
  expect(JSON.stringify(document)).not.toMatch(/svc_(?:live|test)_[0-9A-Za-z]{39}/);
});

test('the same operations produce the same document, byte for byte', () => {
  expect(JSON.stringify(toOpenApi(operations, '1.2.3'))).toBe(JSON.stringify(document));
});

test('variables of servers have no description, which the validation of orval 7 refuses', () => {
  const servers = (document as unknown as { servers: { variables?: Record<string, object> }[] }).servers;
  const members = servers.flatMap(({ variables = {} }) => Object.values(variables).flatMap(Object.keys));
  expect(members).toEqual(['default']);
});
