import { operations } from '@tps/contract';

interface PathMethods {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: ReadonlySet<string>;
}

const PATHS: readonly PathMethods[] = [...new Set(operations.map(({ path }) => path))]
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`),
    methods: new Set<string>(
      operations
        .filter((operation) => operation.path === path)
        .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    ),
  }))
  // `/tokens/audit` before `/tokens/{id}`, which it also matches.
  .toSorted((a, b) => Number(a.path.includes('{id}')) - Number(b.path.includes('{id}')));

/** Lists the methods of the path of a URL, for `Allow`. Empty for an unknown path. */
export function methodsAt(url: string): string[] {
  const [path = ''] = url.split('?');
  return [...(PATHS.find(({ pattern }) => pattern.test(path))?.methods ?? [])];
}

/**
 * Lists the methods that a path lacks and that the router would give to a path with `{id}` instead:
 * `DELETE /tokens/audit` is not the deletion of a token with the id `audit`.
 */
export function methodsOfSiblings(): { path: string; methods: string[] }[] {
  return PATHS.filter(({ path }) => !path.includes('{id}')).flatMap(({ path, methods: own }) => {
    const siblings = PATHS.filter((other) => other.path !== path && other.pattern.test(path));
    const methods = siblings.flatMap((sibling) => [...sibling.methods].filter((method) => !own.has(method)));
    return methods.length === 0 ? [] : [{ path, methods }];
  });
}
