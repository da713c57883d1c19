import { type Connection, readData } from '../http/connection.ts';
import type { Artifact } from '../schemas.ts';
import { itemRequest, type ReadOptions } from './read-options.ts';

/** Calls on artifacts, the published results of jobs. */
export function artifactsResource(connection: Connection) {
  const { api } = connection;
  return {
    get: (id: string, options: ReadOptions<'getArtifact'> = {}): Promise<Artifact> =>
      readData(api.GET('/artifacts/{id}', itemRequest(connection, id, options))),
  };
}
