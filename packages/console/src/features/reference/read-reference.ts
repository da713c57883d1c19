/** One operation of the API, as its document describes it. */
export interface ReferenceOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: string | undefined;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  readonly bodyExample: string | undefined;
}

interface DocumentedOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name?: string; readonly description?: string }[];
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Reads the operations of an OpenAPI document, in its order. */
export function readReference(document: unknown): ReferenceOperation[] {
  const { paths = {} } = document as {
    paths?: Record<string, Record<string, DocumentedOperation | undefined>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const described = item[method];
      return described === undefined ? [] : [toOperation({ method, path, described })];
    }),
  );
}

function toOperation(one: {
  method: string;
  path: string;
  described: DocumentedOperation;
}): ReferenceOperation {
  const { method, path, described } = one;
  const { content } = described.requestBody ?? {};
  const example = content?.['application/json']?.example;
  const parameters = (described.parameters ?? []).filter(({ name }) => name !== undefined);
  return {
    id: described.operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    tag: described.tags?.[0] ?? 'other',
    summary: described.summary ?? '',
    description: described.description ?? '',
    scope: described.security?.flatMap((option) => Object.values(option).flat())[0],
    parameters: parameters.map(({ name = '', description = '' }) => ({ name, description })),
    bodyExample: example === undefined ? undefined : JSON.stringify(example, null, 2),
  };
}

/**
 * Returns a request to copy. The key comes from the environment, so that it is not in the history of the shell, and reaches
 * curl on the standard input, so that it is not in the list of processes.
 */
export function toCurl({ method, path, bodyExample }: ReferenceOperation, apiUrl: string): string {
  const body =
    bodyExample === undefined
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${bodyExample.replaceAll("'", "'\\''")}'`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  return `curl${verb} '${apiUrl}${path}' -H @-${body} \\\n  <<< "Authorization: Bearer $TPS_CREDENTIAL"`;
}
