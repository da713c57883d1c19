import { type CallOptions, type Connection, readData, readVersion } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Incident, IncidentChange, IncidentPage } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';

/** How an incident is changed. */
export interface IncidentUpdateOptions extends CallOptions {
  /** The `etag` that was read along with the incident: the change is refused when somebody was quicker. */
  readonly ifMatch?: string | undefined;
}

/** Makes the calls about incidents. */
export function incidentsResource(connection: Connection) {
  const { api, call } = connection;
  const request = (id: string, options: ReadOptions<'getIncident'>) =>
    api.GET('/incidents/{id}', itemRequest(connection, id, options));
  return {
    /** Lists incidents, newest first. */
    list: (options: ListOptions<'listIncidents'> = {}): List<IncidentPage> =>
      createListOf(connection, options, (init) => api.GET('/incidents', init)),

    get: (id: string, options: ReadOptions<'getIncident'> = {}): Promise<Incident> =>
      readData(request(id, options)),

    /** Gets an incident along with the `etag` of its version, for `ifMatch`. */
    getVersion: async (
      id: string,
      options: ReadOptions<'getIncident'> = {},
    ): Promise<{ incident: Incident; etag: string }> => {
      const { data, etag } = await readVersion(request(id, options));
      return { incident: data, etag };
    },

    /** Moves an incident on or notes something about it. @throws ConflictError `version_mismatch`, `invalid_state_transition` */
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
