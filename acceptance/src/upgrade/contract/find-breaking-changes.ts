import { compareSchemas, type Schema } from './compare-schemas.ts';

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly examples?: object }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-required-scope'?: string;
  readonly 'x-legacy-scope'?: string;
  readonly 'x-open-to'?: readonly string[];
  readonly 'x-recent-sign-in'?: boolean;
  readonly 'x-signature-tag'?: string;
}

type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The parts of an OpenAPI 3.1 document of the service that docs/versioning.md makes promises about. */
export interface ContractDocument {
  readonly paths: Operations;
  readonly webhooks?: Operations;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

/**
 * Returns how a version of the contract breaks what callers and receivers of another could rely on, as docs/versioning.md
 * promises: `POST /devices: body.tenant_id is required`. Libraries that compare OpenAPI documents read version 3.0 only, and
 * know neither scopes nor error codes.
 */
export function findBreakingChanges(before: ContractDocument, after: ContractDocument): string[] {
  const documents = { before, after };
  return [
    ...operationsOf(before.paths).flatMap(([name, path, method, old]) => {
      const current = after.paths[path]?.[method];
      if (current === undefined) return [`${name} is removed`];
      return compareOperations(old, current, documents).map((problem) => `${name}: ${problem}`);
    }),
    ...operationsOf(before.webhooks ?? {}).flatMap(([, event, method, old]) => {
      const current = after.webhooks?.[event]?.[method];
      if (current === undefined) return [`webhook ${event} is removed`];
      return compareDeliveries(old, current, documents).map((problem) => `webhook ${event}: ${problem}`);
    }),
  ];
}

interface Documents {
  readonly before: ContractDocument;
  readonly after: ContractDocument;
}

function operationsOf(paths: Operations): [name: string, path: string, method: string, Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, path, method, operation] as const,
    ),
  ) as [string, string, string, Operation][];
}

function compareOperations(before: Operation, after: Operation, documents: Documents): string[] {
  return [
    ...compareAccess(before, after),
    ...compareParameters(before, after, documents),
    ...compareBodies(before, after, documents),
    ...compareResponses(before, after, documents),
  ];
}

function compareAccess(before: Operation, after: Operation): string[] {
  const problems: string[] = [];
  const [old, current] = [before['x-required-scope'], after['x-required-scope']];
  if (current !== undefined && current !== old && after['x-legacy-scope'] !== old)
    problems.push(`requires the scope ${current}`);
  for (const credential of before['x-open-to'] ?? [])
    if (!after['x-open-to']?.includes(credential)) problems.push(`is closed to ${credential} credentials`);
  if (after['x-recent-sign-in'] && !before['x-recent-sign-in']) problems.push('requires a recent sign-in');
  if (after['x-signature-tag'] !== before['x-signature-tag']) problems.push('is signed in another way');
  return problems;
}

function compareParameters(before: Operation, after: Operation, documents: Documents): string[] {
  const keyOf = (one: Parameter) => `${one.in} ${one.name}`;
  const olds = new Map((before.parameters ?? []).map((one) => [keyOf(one), one]));
  const news = new Map((after.parameters ?? []).map((one) => [keyOf(one), one]));
  const problems: string[] = [];
  for (const [key, older] of olds) {
    const newer = news.get(key);
    if (newer === undefined) problems.push(`${key} is removed`);
    else problems.push(...compareAt(older.schema, newer.schema, { side: 'request', at: key, ...documents }));
  }
  for (const [key, { required }] of news)
    if (required && !olds.get(key)?.required) problems.push(`${key} is required`);
  return problems;
}

function compareBodies(
  { requestBody: before }: Operation,
  { requestBody: after }: Operation,
  documents: Documents,
): string[] {
  if (after === undefined) return before === undefined ? [] : ['body is removed'];
  if (before === undefined) return after.required ? ['body is required'] : [];
  return [
    ...(after.required && !before.required ? ['body is required'] : []),
    ...Object.entries(before.content).flatMap(([mediaType, { schema = {} }]) => {
      const current = after.content[mediaType];
      if (current === undefined) return [`body must not be ${mediaType} any more`];
      return compareAt(schema, current.schema ?? {}, { side: 'request', at: 'body', ...documents });
    }),
  ];
}

function compareResponses(before: Operation, after: Operation, documents: Documents): string[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    const old = resolveResponse(response, documents.before);
    const current = after.responses[status] && resolveResponse(after.responses[status], documents.after);
    if (status.startsWith('2') || status === '304') {
      if (current === undefined) return [`does not respond with ${status} any more`];
      return Object.entries(old.content ?? {}).flatMap(([mediaType, { schema = {} }]) => {
        const now = current.content?.[mediaType];
        if (now === undefined) return [`does not respond with ${mediaType} any more`];
        return compareAt(schema, now.schema ?? {}, { side: 'response', at: `${status}`, ...documents });
      });
    }
    const codes = codesOf(current);
    return codesOf(old)
      .filter((code) => !codes.includes(code))
      .map((code) => `does not respond with ${status} ${code} any more`);
  });
}

/** What receivers of webhooks rely on: the service is the one that sends. */
function compareDeliveries(before: Operation, after: Operation, documents: Documents): string[] {
  const headers = new Map((after.parameters ?? []).map((one) => [one.name, one]));
  const lost = (before.parameters ?? []).filter(
    ({ name, required }) => !headers.has(name) || (required && !headers.get(name)?.required),
  );
  const [old, current] = [before, after].map(
    ({ requestBody }) => requestBody?.content['application/json']?.schema ?? {},
  );
  return [
    ...lost.map(({ name }) => `header ${name} is removed`),
    ...compareAt(old ?? {}, current ?? {}, { side: 'response', at: 'body', ...documents }),
  ];
}

function compareAt(
  old: Schema,
  current: Schema,
  { side, at, before, after }: Documents & { side: 'request' | 'response'; at: string },
): string[] {
  const found = compareSchemas(old, current, {
    side,
    at,
    resolveOld: (schema) => resolveSchema(schema, before),
    resolveNew: (schema) => resolveSchema(schema, after),
  });
  return [...new Set(found)];
}

function resolveSchema(schema: Schema, document: ContractDocument): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...rest } = schema;
  const found = document.components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`the document has no ${$ref}`);
  return resolveSchema({ ...found, ...rest }, document);
}

function resolveResponse(response: Response, document: ContractDocument): Response {
  if (response.$ref === undefined) return response;
  return document.components?.responses?.[response.$ref.replace('#/components/responses/', '')] ?? {};
}

/** The codes of a response with an error, which are the names of its examples. */
function codesOf(response: Response | undefined): string[] {
  return Object.keys(response?.content?.['application/json']?.examples ?? {});
}
