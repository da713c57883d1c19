import { type Connection, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Alert, AlertPage } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';

/** Calls on alerts: decisions that need attention. */
export function alertsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists alerts, newest first. */
    list: (options: ListOptions<'listAlerts'> = {}): List<AlertPage> =>
      createListOf(connection, options, (init) => api.GET('/alerts', init)),

    get: (id: string, options: ReadOptions<'getAlert'> = {}): Promise<Alert> =>
      readData(api.GET('/alerts/{id}', itemRequest(connection, id, options))),
  };
}
