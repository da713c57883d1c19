import { operations } from '@tps/contract';

const patterns = operations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`),
}));

/** Lists the methods of a path, each once, for `Allow`. Empty for an unknown path. */
export function allowedMethods(url: string): string[] {
  const [path = ''] = url.split('?');
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}
