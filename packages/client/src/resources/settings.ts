import { type CallOptions, type Connection, done, readData } from '../http/connection.ts';
import type { NewDeletionRequest, TenantDeletionRequest, TenantSettings } from '../schemas.ts';
import { type ReadOptions, splitOptions } from './read-options.ts';

/** Calls on what is in effect for a tenant, and on its deletion. */
export function settingsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    get: (options: ReadOptions<'getSettings'> = {}): Promise<TenantSettings> => {
      const { query, call: rules } = splitOptions<ReadOptions<'getSettings'>>(options);
      return readData(api.GET('/settings', { params: { query }, ...call(rules, 'any-failure') }));
    },

    /** Requests the deletion of the tenant with all its data. It can be cancelled until it is due. */
    requestDeletion: (
      deletion: NewDeletionRequest,
      options: CallOptions = {},
    ): Promise<TenantDeletionRequest> =>
      readData(api.POST('/settings/deletion', { body: deletion, ...call(options, 'rate-limit') })),

    cancelDeletion: (options: ReadOptions<'cancelDeletion'> = {}): Promise<void> => {
      const { query, call: rules } = splitOptions<ReadOptions<'cancelDeletion'>>(options);
      return done(api.DELETE('/settings/deletion', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
