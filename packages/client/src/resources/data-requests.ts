import { type Connection, type KeyedOptions, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  DataRecordPage,
  DataRequest,
  DataRequestPage,
  ErasedEventPage,
  NewDataRequest,
} from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, ofItem, type ReadOptions } from './read-options.ts';
import { createRequest } from './write-requests.ts';

/** Calls on the export and deletion of what is kept about a device or a person. */
export function dataRequestsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists data requests, newest first. */
    list: (options: ListOptions<'listDataRequests'> = {}): List<DataRequestPage> =>
      createListOf(connection, options, (init) => api.GET('/data-requests', init)),

    get: (id: string, options: ReadOptions<'getDataRequest'> = {}): Promise<DataRequest> =>
      readData(api.GET('/data-requests/{id}', itemRequest(connection, id, options))),

    /** Requests an export or a deletion. The service works in the background: read the request until it has completed. */
    create: (request: NewDataRequest, options: KeyedOptions = {}): Promise<DataRequest> =>
      readData(api.POST('/data-requests', createRequest(connection, request, options))),

    /** Lists the records of an export. A page can be empty although more follow. */
    records: (id: string, options: ListOptions<'listDataRecords'> = {}): List<DataRecordPage> =>
      createListOf(connection, options, (init) => api.GET('/data-requests/{id}/records', ofItem(id, init))),

    /** Lists the places of the events that a deletion erased. */
    erasedEvents: (id: string, options: ListOptions<'listErasedEvents'> = {}): List<ErasedEventPage> =>
      createListOf(connection, options, (init) =>
        api.GET('/data-requests/{id}/erased-events', ofItem(id, init)),
      ),
  };
}
