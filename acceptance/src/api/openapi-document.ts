import { readFileSync } from 'node:fs';

/** A JSON Schema in the document. */
export type Schema = { readonly [keyword: string]: unknown };

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** One operation, as the document describes it to clients. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Undefined for operations without authentication. */
  readonly scope: string | undefined;
  /** Accepted instead of the scope. */
  readonly legacyScope: string | undefined;
  readonly signatureTag: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly bodySchema: Schema | undefined;
  readonly isBodyRequired: boolean;
  /** Documented statuses. */
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

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, PathItem>>;
  components: { schemas: Record<string, Schema> };
};

/** All operations of docs/openapi.json. */
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

/** Follows `$ref` to the schema. */
export function resolveSchema(schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = document.components.schemas[$ref.replace('#/components/schemas/', '')];
  if (!found) throw new Error(`the document has no ${$ref}`);
  return resolveSchema(found);
}

/**
 * Returns the sorted methods of a concrete path in the document. Templates with `{id}` match unless the document has
 * the path itself. GET implies HEAD.
 */
export function methodsAt(path: string): string[] {
  const exact = documentedOperations.filter((operation) => operation.path === path);
  const matches = documentedOperations.filter((operation) =>
    new RegExp(`^${operation.path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`).test(path),
  );
  const methods = (exact.length > 0 ? exact : matches).map(({ method }) => method);
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].sort();
}
