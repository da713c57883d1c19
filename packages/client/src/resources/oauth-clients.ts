import { type CallOptions, type Connection, done, type KeyedOptions, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  ClientSecretRotation,
  CreatedOAuthClient,
  NewOAuthClient,
  OAuthClient,
  OAuthClientChange,
  OAuthClientPage,
} from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';
import { changeRequest, createRequest } from './write-requests.ts';

/** Calls on OAuth clients. */
export function oauthClientsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    list: (options: ListOptions<'listOAuthClients'> = {}): List<OAuthClientPage> =>
      createListOf(connection, options, (init) => api.GET('/oauth-clients', init)),

    get: (id: string, options: ReadOptions<'getOAuthClient'> = {}): Promise<OAuthClient> =>
      readData(api.GET('/oauth-clients/{id}', itemRequest(connection, id, options))),

    /**
     * Creates a client. Its secret is returned once: if the first answer was lost and the call was repeated,
     * `client_secret` is missing. Replace it with `rotateSecret`.
     */
    create: (client: NewOAuthClient, options: KeyedOptions = {}): Promise<CreatedOAuthClient> =>
      readData(api.POST('/oauth-clients', createRequest(connection, client, options))),

    /** Changes a client. Taking something away ends its tokens and grants. */
    update: (id: string, change: OAuthClientChange, options: CallOptions = {}): Promise<OAuthClient> => {
      const init = { params: { path: { id } }, body: change };
      return readData(api.PATCH('/oauth-clients/{id}', { ...init, ...call(options, 'any-failure') }));
    },

    /** Deletes a client and ends its tokens and grants. */
    remove: (id: string, options: ReadOptions<'deleteOAuthClient'> = {}): Promise<void> =>
      done(api.DELETE('/oauth-clients/{id}', itemRequest(connection, id, options))),

    /** Replaces the secret, which is returned once. The old one stays valid for a while. */
    rotateSecret: (
      id: string,
      rotation: ClientSecretRotation = {},
      options: CallOptions = {},
    ): Promise<CreatedOAuthClient> =>
      readData(
        api.POST(
          '/oauth-clients/{id}/rotate-secret',
          changeRequest(connection, { id, body: rotation }, options),
        ),
      ),
  };
}
