import { type Connection, type KeyedOptions, readData, toIdempotencyKey } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  DataRecordPage,
  DataRequest,
  DataRequestPage,
  ErasedEventPage,
  NewDataRequest,
} from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';

/** Calls on the export and deletion of what is kept about a device or a person. */
export function dataRequestsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    /** Lists data requests, newest first. */
    list: (options: ListOptions<'listDataRequests'> = {}): List<DataRequestPage> =>
      createListOf(connection, options, (init) => api.GET('/data-requests', init)),

    get: (id: string, options: ReadOptions<'getDataRequest'> = {}): Promise<DataRequest> =>
      readData(api.GET('/data-requests/{id}', itemRequest(connection, id, options))),

    /** Requests an export or a deletion. The service works in the background: read the request until it has completed. */
    create: (request: NewDataRequest, options: KeyedOptions = {}): Promise<DataRequest> => {
      const params = { header: { 'Idempotency-Key': toIdempotencyKey(options) } };
      return readData(api.POST('/data-requests', { params, body: request, ...call(options, 'any-failure') }));
    },

    /** Lists the records of an export. A page can be empty although more follow. */
    records: (id: string, options: ListOptions<'listDataRecords'> = {}): List<DataRecordPage> =>
      createListOf(connection, options, ({ params: { query }, fetch }) =>
        api.GET('/data-requests/{id}/records', { params: { path: { id }, query }, fetch }),
      ),

    /** Lists the places of the events that a deletion erased. */
    erasedEvents: (id: string, options: ListOptions<'listErasedEvents'> = {}): List<ErasedEventPage> =>
      createListOf(connection, options, ({ params: { query }, fetch }) =>
        api.GET('/data-requests/{id}/erased-events', { params: { path: { id }, query }, fetch }),
      ),
  };
}
