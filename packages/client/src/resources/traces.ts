import { type Connection, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Trace, TraceStepPage } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, ofItem, type ReadOptions } from './read-options.ts';

/** Calls on traces, the records of single job runs. */
export function tracesResource(connection: Connection) {
  const { api } = connection;
  return {
    get: (id: string, options: ReadOptions<'getTrace'> = {}): Promise<Trace> =>
      readData(api.GET('/traces/{id}', itemRequest(connection, id, options))),

    steps: (id: string, options: ListOptions<'listTraceSteps'> = {}): List<TraceStepPage> =>
      createListOf(connection, options, (init) => api.GET('/traces/{id}/steps', ofItem(id, init))),
  };
}
