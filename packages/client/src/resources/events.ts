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

/** Makes the calls about events: the feed, and what devices send. */
export function eventsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    /** Lists the feed, oldest first, up to its present end. */
    list: (options: ListOptions<'listEvents'> = {}): List<EventPage> =>
      createListOf(connection, options, (init) => api.GET('/events', init)),

    /**
     * Lists the feed and goes on at its end until `signal` is aborted or the loop is left. A service that is away is
     * waited for.
     */
    follow: (options: ListOptions<'listEvents'> & FollowOptions = {}): List<EventPage> =>
      createFeedOf(connection, options, (init) => api.GET('/events', init)),

    get: (id: string, options: ReadOptions<'getEvent'> = {}): Promise<Event> =>
      readData(api.GET('/events/{id}', itemRequest(connection, id, options))),

    /** Submits one event as its device has signed it. The agent does this for you, retries included. */
    submit: (signed: SignedRequest, options: CallOptions = {}): Promise<Event> =>
      readData(api.POST('/events', { ...signedInit<Event>(signed), ...call(options, 'nothing') })),

    /** Submits events of one device under one signature. The agent does this for you, retries included. */
    submitBatch: (signed: SignedRequest, options: CallOptions = {}): Promise<EventBatchResults> =>
      readData(api.POST('/events/batch', { ...signedInit<EventBatch>(signed), ...call(options, 'nothing') })),
  };
}
