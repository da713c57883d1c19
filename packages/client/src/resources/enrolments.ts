import { type Connection, done, type KeyedOptions, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { CreatedEnrolment, Enrolment, EnrolmentPage, NewEnrolment } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';
import { createRequest } from './write-requests.ts';

/** Calls on enrolment secrets. */
export function enrolmentsResource(connection: Connection) {
  const { api } = connection;
  return {
    /** Lists enrolment secrets, newest first. */
    list: (options: ListOptions<'listEnrolments'> = {}): List<EnrolmentPage> =>
      createListOf(connection, options, (init) => api.GET('/enrolments', init)),

    get: (id: string, options: ReadOptions<'getEnrolment'> = {}): Promise<Enrolment> =>
      readData(api.GET('/enrolments/{id}', itemRequest(connection, id, options))),

    /**
     * Creates an enrolment secret. It is returned once: if the first answer was lost and the call was repeated, `secret` is
     * missing. Revoke that one and create another.
     */
    create: (enrolment: NewEnrolment, options: KeyedOptions = {}): Promise<CreatedEnrolment> =>
      readData(api.POST('/enrolments', createRequest(connection, enrolment, options))),

    /** Revokes an enrolment secret. Devices that have enrolled are not affected. */
    revoke: (id: string, options: ReadOptions<'revokeEnrolment'> = {}): Promise<void> =>
      done(api.DELETE('/enrolments/{id}', itemRequest(connection, id, options))),
  };
}
