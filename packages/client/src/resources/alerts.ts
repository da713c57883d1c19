import { type Connection, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Alert, AlertPage, Counts } from '../schemas.ts';
import {
  createListOf,
  itemRequest,
  type ListOptions,
  queryRequest,
  type ReadOptions,
} from './read-options.ts';

/** Calls on alerts: decisions that need attention. */
export function alertsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists alerts, newest first. */
    list: (options: ListOptions<'listAlerts'> = {}): List<AlertPage> =>
      createListOf(connection, options, (init) => api.GET('/alerts', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countAlerts'> = {}): Promise<Counts> =>
      readData(api.GET('/alerts/counts', queryRequest(connection, options))),

    get: (id: string, options: ReadOptions<'getAlert'> = {}): Promise<Alert> =>
      readData(api.GET('/alerts/{id}', itemRequest(connection, id, options))),
  };
}
