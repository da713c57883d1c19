import { type CallOptions, type Connection, done, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Member, MemberPage, MemberUpdate } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';
import { changeRequest } from './write-requests.ts';

/** Calls on the people of a tenant. Members are identified by their account. */
export function membersResource(connection: Connection) {
  const { api } = connection;
  return {
    list: (options: ListOptions<'listMembers'> = {}): List<MemberPage> =>
      createListOf(connection, options, (init) => api.GET('/members', init)),

    get: (id: string, options: ReadOptions<'getMember'> = {}): Promise<Member> =>
      readData(api.GET('/members/{id}', itemRequest(connection, id, options))),

    /** Changes the role of a member. What applications may do for the member ends. */
    update: (id: string, update: MemberUpdate, options: CallOptions = {}): Promise<Member> =>
      readData(api.PATCH('/members/{id}', changeRequest(connection, { id, body: update }, options))),

    /**
     * Removes a member. The account stays: it may belong to other tenants. With `sign_on: 'delete'`, single sign-on is deleted
     * too if the member owns it.
     */
    remove: (id: string, options: ReadOptions<'removeMember'> = {}): Promise<void> =>
      done(api.DELETE('/members/{id}', itemRequest(connection, id, options))),
  };
}
