import { type Connection, dataOf } from '../http/connection.ts';
import type { Artifact } from '../schemas.ts';
import { itemOf, type ReadOptions } from './read-options.ts';

/** Makes the calls about artifacts: what jobs publish. */
export function artifactsResource(connection: Connection) {
  const { api } = connection;
  return {
    get: (id: string, options: ReadOptions<'getArtifact'> = {}): Promise<Artifact> =>
      dataOf(api.GET('/artifacts/{id}', itemOf(connection, id, options))),
  };
}
