import { type Connection, dataOf } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Threat, ThreatPage } from '../schemas.ts';
import { itemOf, type ListOptions, listOf, type ReadOptions } from './read-options.ts';

/** Makes the calls about threats. */
export function threatsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists threats, newest first. Its pages say how many there are in all. */
    list: (options: ListOptions<'listThreats'> = {}): List<ThreatPage> =>
      listOf(connection, options, (init) => api.GET('/threats', init)),

    get: (id: string, options: ReadOptions<'getThreat'> = {}): Promise<Threat> =>
      dataOf(api.GET('/threats/{id}', itemOf(connection, id, options))),
  };
}
