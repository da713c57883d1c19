import { type Connection, dataOf } from '../http/connection.ts';
import type { Artifact } from '../schemas.ts';
import { type ReadOptions, readingOf } from './read-options.ts';

/** Makes the calls about artifacts: what jobs publish. */
export function artifactsResource({ api, call }: Connection) {
  return {
    get: (id: string, options: ReadOptions<'getArtifact'> = {}): Promise<Artifact> => {
      const { query, call: rules } = readingOf(options);
      const params = { path: { id }, query };
      return dataOf(api.GET('/artifacts/{id}', { params, ...call(rules, 'any-failure') }));
    },
  };
}
