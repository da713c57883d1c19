import { type Connection, done, type KeyedOptions, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { CreatedInvitation, Invitation, InvitationPage, NewInvitation } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';
import { createRequest } from './write-requests.ts';

/** Calls on invitations of people. */
export function invitationsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists invitations, newest first. */
    list: (options: ListOptions<'listInvitations'> = {}): List<InvitationPage> =>
      createListOf(connection, options, (init) => api.GET('/invitations', init)),

    get: (id: string, options: ReadOptions<'getInvitation'> = {}): Promise<Invitation> =>
      readData(api.GET('/invitations/{id}', itemRequest(connection, id, options))),

    /**
     * Invites a person. The link is returned once: if the first answer was lost and the call was repeated, `link` is
     * missing. Revoke that invitation and create another.
     */
    create: (invitation: NewInvitation, options: KeyedOptions = {}): Promise<CreatedInvitation> =>
      readData(api.POST('/invitations', createRequest(connection, invitation, options))),

    /** Revokes an invitation. A person who has accepted it stays a member. */
    revoke: (id: string, options: ReadOptions<'revokeInvitation'> = {}): Promise<void> =>
      done(api.DELETE('/invitations/{id}', itemRequest(connection, id, options))),
  };
}
