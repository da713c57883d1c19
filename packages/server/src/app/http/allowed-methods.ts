import { operations } from '@tps/contract';

const patterns = operations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`),
}));

/** Lists the methods that a path knows, each once, for `Allow`. Empty for a path that nobody serves. */
export function allowedMethods(url: string): string[] {
  const [path = ''] = url.split('?');
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}
