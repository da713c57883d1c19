import { type CallOptions, type Connection, readData, readVersion } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import { bulkCalls } from '../paging/repeat-bulk.ts';
import type {
  Counts,
  Incident,
  IncidentAssigneePage,
  IncidentBulk,
  IncidentBulkResults,
  IncidentChange,
  IncidentPage,
  SimilarIncidents,
} from '../schemas.ts';
import {
  createListOf,
  itemRequest,
  type ListOptions,
  queryRequest,
  type ReadOptions,
} from './read-options.ts';

/** Options for changing an incident. */
export interface IncidentUpdateOptions extends CallOptions {
  /** The `etag` that was read with the incident. The change is refused if the incident has changed since. */
  readonly ifMatch?: string | undefined;
}

/** Calls on incidents. */
export function incidentsResource(connection: Connection) {
  const { api, call } = connection;
  const request = (id: string, options: ReadOptions<'getIncident'>) =>
    api.GET('/incidents/{id}', itemRequest(connection, id, options));
  return {
    ...bulkCalls(
      (body: IncidentBulk, options): Promise<IncidentBulkResults> =>
        readData(api.POST('/incidents/bulk', { body, ...call(options, 'rate-limit') })),
    ),

    /** Lists incidents, newest first. */
    list: (options: ListOptions<'listIncidents'> = {}): List<IncidentPage> =>
      createListOf(connection, options, (init) => api.GET('/incidents', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countIncidents'> = {}): Promise<Counts> =>
      readData(api.GET('/incidents/counts', queryRequest(connection, options))),

    get: (id: string, options: ReadOptions<'getIncident'> = {}): Promise<Incident> =>
      readData(request(id, options)),

    /** Gets an incident with the `etag` of its version, for `ifMatch`. */
    getVersion: async (
      id: string,
      options: ReadOptions<'getIncident'> = {},
    ): Promise<{ incident: Incident; etag: string }> => {
      const { data, etag } = await readVersion(request(id, options));
      return { incident: data, etag };
    },

    /** Lists the newest incidents that share an indicator or the subject with one. */
    similar: (id: string, options: ReadOptions<'listSimilarIncidents'> = {}): Promise<SimilarIncidents> =>
      readData(api.GET('/incidents/{id}/similar', itemRequest(connection, id, options))),

    /** Lists the members to whom incidents can be assigned. */
    assignees: (options: ListOptions<'listIncidentAssignees'> = {}): List<IncidentAssigneePage> =>
      createListOf(connection, options, (init) => api.GET('/incidents/assignees', init)),

    /** Changes an incident's status or adds a note. @throws ConflictError `version_mismatch`, `invalid_state_transition` */
    update: (
      id: string,
      change: IncidentChange,
      { ifMatch, ...options }: IncidentUpdateOptions = {},
    ): Promise<Incident> => {
      const header = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
      const params = { path: { id }, header };
      return readData(api.PATCH('/incidents/{id}', { params, body: change, ...call(options, 'rate-limit') }));
    },
  };
}
