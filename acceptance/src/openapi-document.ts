import { readFileSync } from 'node:fs';

/** A JSON Schema as it stands in the document. */
export type Schema = { readonly [keyword: string]: unknown };

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** One operation, as a client that has only the document knows it. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Undefined on operations that are open to all. */
  readonly scope: string | undefined;
  /** Accepted in place of the scope. */
  readonly legacyScope: string | undefined;
  readonly signatureTag: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly bodySchema: Schema | undefined;
  readonly isBodyRequired: boolean;
  /** Statuses that are described. */
  readonly answers: readonly string[];
}

type PathItem = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, unknown>;
  'x-required-scope'?: string;
  'x-legacy-scope'?: string;
  'x-signature-tag'?: string;
};

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, PathItem>>;
  components: { schemas: Record<string, Schema> };
};

/** Every operation of docs/openapi.json. */
export const documentedOperations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, item]) => ({
      operationId: item.operationId,
      method: method.toUpperCase(),
      path,
      scope: item['x-required-scope'],
      legacyScope: item['x-legacy-scope'],
      signatureTag: item['x-signature-tag'],
      parameters: item.parameters ?? [],
      bodySchema: item.requestBody?.content['application/json'].schema,
      isBodyRequired: item.requestBody?.required ?? false,
      answers: Object.keys(item.responses),
    })),
);

/** Follows `$ref` until the schema itself is there. */
export function resolveSchema(schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = document.components.schemas[$ref.replace('#/components/schemas/', '')];
  if (!found) throw new Error(`the document has no ${$ref}`);
  return resolveSchema(found);
}

/** Lists, sorted, the methods that the document knows at a concrete path; templates with `{id}` count. */
export function methodsAt(path: string): string[] {
  const matches = documentedOperations.filter((operation) =>
    new RegExp(`^${operation.path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`).test(path),
  );
  return [...new Set(matches.map(({ method }) => method))].sort();
}
