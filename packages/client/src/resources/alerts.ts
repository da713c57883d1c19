import { type Connection, dataOf } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Alert, AlertPage } from '../schemas.ts';
import { itemOf, type ListOptions, listOf, type ReadOptions } from './read-options.ts';

/** Makes the calls about alerts. */
export function alertsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists alerts, newest first. */
    list: (options: ListOptions<'listAlerts'> = {}): List<AlertPage> =>
      listOf(connection, options, (init) => api.GET('/alerts', init)),

    get: (id: string, options: ReadOptions<'getAlert'> = {}): Promise<Alert> =>
      dataOf(api.GET('/alerts/{id}', itemOf(connection, id, options))),
  };
}
