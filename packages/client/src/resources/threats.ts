import { type Connection, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Counts, Threat, ThreatPage } from '../schemas.ts';
import {
  createListOf,
  itemRequest,
  type ListOptions,
  queryRequest,
  type ReadOptions,
} from './read-options.ts';

/** Calls on threats. */
export function threatsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists threats, newest first. The pages contain the total number. */
    list: (options: ListOptions<'listThreats'> = {}): List<ThreatPage> =>
      createListOf(connection, options, (init) => api.GET('/threats', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countThreats'> = {}): Promise<Counts> =>
      readData(api.GET('/threats/counts', queryRequest(connection, options))),

    get: (id: string, options: ReadOptions<'getThreat'> = {}): Promise<Threat> =>
      readData(api.GET('/threats/{id}', itemRequest(connection, id, options))),
  };
}
