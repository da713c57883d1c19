import { type CallOptions, type Connection, done, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { NewView, SavedView, SavedViewPage, ViewChange } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';
import { changeRequest } from './write-requests.ts';

/** Calls on saved views: named states of pages. */
export function viewsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    /** Lists the shared views and the caller's own. */
    list: (options: ListOptions<'listViews'> = {}): List<SavedViewPage> =>
      createListOf(connection, options, (init) => api.GET('/views', init)),

    get: (id: string, options: ReadOptions<'getView'> = {}): Promise<SavedView> =>
      readData(api.GET('/views/{id}', itemRequest(connection, id, options))),

    create: (view: NewView, options: CallOptions = {}): Promise<SavedView> =>
      readData(api.POST('/views', { body: view, ...call(options, 'rate-limit') })),

    update: (id: string, change: ViewChange, options: CallOptions = {}): Promise<SavedView> =>
      readData(api.PATCH('/views/{id}', changeRequest(connection, { id, body: change }, options))),

    remove: (id: string, options: ReadOptions<'deleteView'> = {}): Promise<void> =>
      done(api.DELETE('/views/{id}', itemRequest(connection, id, options))),
  };
}
