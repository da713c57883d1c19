import { type Connection, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { AuditEntry, AuditPage, Counts } from '../schemas.ts';
import {
  createListOf,
  itemRequest,
  type ListOptions,
  ofItem,
  queryRequest,
  type ReadOptions,
} from './read-options.ts';

/** The operations that list what happened to one object. */
type AuditOfObject = 'listAuditOfIncident' | 'listAuditOfDevice' | 'listAuditOfPolicy' | 'listAuditOfWebhook';

/** Calls on the audit log. */
export function auditResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists the audit entries of the tenant, newest first. A page can be short although more follow. */
    list: (options: ListOptions<'listAudit'> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/audit', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countAudit'> = {}): Promise<Counts> =>
      readData(api.GET('/audit/counts', queryRequest(connection, options))),

    get: (id: string, options: ReadOptions<'getAuditEntry'> = {}): Promise<AuditEntry> =>
      readData(api.GET('/audit/{id}', itemRequest(connection, id, options))),

    ofIncident: (id: string, options: ListOptions<AuditOfObject> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/incidents/{id}/audit', ofItem(id, init))),

    ofDevice: (id: string, options: ListOptions<AuditOfObject> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/devices/{id}/audit', ofItem(id, init))),

    ofPolicy: (id: string, options: ListOptions<AuditOfObject> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/policies/{id}/audit', ofItem(id, init))),

    ofWebhook: (id: string, options: ListOptions<AuditOfObject> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/webhooks/{id}/audit', ofItem(id, init))),
  };
}
