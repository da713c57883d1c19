import { type CallOptions, type Connection, readData } from '../http/connection.ts';
import type { FollowOptions } from '../paging/follow.ts';
import type { List } from '../paging/list.ts';
import type { Event, EventBatch, EventBatchResults, EventPage } from '../schemas.ts';
import {
  createFeedOf,
  createListOf,
  itemRequest,
  type ListOptions,
  type ReadOptions,
} from './read-options.ts';
import { type SignedRequest, signedInit } from './signed-request.ts';

/** Calls on events: reading the feed, and submitting signed events. */
export function eventsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    /** Lists the feed, oldest first, up to its current end. */
    list: (options: ListOptions<'listEvents'> = {}): List<EventPage> =>
      createListOf(connection, options, (init) => api.GET('/events', init)),

    /**
     * Lists the feed and continues with new events until `signal` is aborted or the loop is left. Transient failures are
     * retried without limit.
     */
    follow: (options: ListOptions<'listEvents'> & FollowOptions = {}): List<EventPage> =>
      createFeedOf(connection, options, (init) => api.GET('/events', init)),

    get: (id: string, options: ReadOptions<'getEvent'> = {}): Promise<Event> =>
      readData(api.GET('/events/{id}', itemRequest(connection, id, options))),

    /** Submits one event in a request signed by its device. `@tps/agent` does this for you, with retries. */
    submit: (signed: SignedRequest, options: CallOptions = {}): Promise<Event> =>
      readData(api.POST('/events', { ...signedInit<Event>(signed), ...call(options, 'nothing') })),

    /** Submits events of one device under one signature. `@tps/agent` does this for you, with retries. */
    submitBatch: (signed: SignedRequest, options: CallOptions = {}): Promise<EventBatchResults> =>
      readData(api.POST('/events/batch', { ...signedInit<EventBatch>(signed), ...call(options, 'nothing') })),
  };
}
