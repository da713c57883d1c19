import { type CallOptions, type Connection, definedSignals, readData } from '../http/connection.ts';
import type { FollowOptions } from '../paging/follow.ts';
import type { List } from '../paging/list.ts';
import type { Counts, Event, EventBatch, EventBatchResults, EventContext, EventPage } from '../schemas.ts';
import { createItemStream, type ItemStream, type StreamOptions } from '../streaming/event-stream.ts';
import {
  createFeedOf,
  createListOf,
  itemRequest,
  type ListOptions,
  queryRequest,
  type ReadOptions,
  splitOptions,
} from './read-options.ts';
import { type SignedRequest, signedInit } from './signed-request.ts';

/** Options of a stream of events: the filters of the list, and those of every stream. */
export type EventStreamOptions = Omit<ReadOptions<'streamEvents'>, 'cursor'> & StreamOptions;

/** Calls on events: reading the feed, and submitting signed events. */
export function eventsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    /** Lists the feed, oldest first, up to its current end. */
    list: (options: ListOptions<'listEvents'> = {}): List<EventPage> =>
      createListOf(connection, options, (init) => api.GET('/events', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countEvents'> = {}): Promise<Counts> =>
      readData(api.GET('/events/counts', queryRequest(connection, options))),

    /**
     * Lists the feed and continues with new events until `signal` is aborted or the loop is left. Failures are waited out
     * and reported to `onOutage`; an invalid request, and a refusal of the first request, are thrown.
     */
    follow: (options: Omit<ListOptions<'listEvents'>, 'order'> & FollowOptions = {}): List<EventPage> =>
      createFeedOf(connection, options, (init) => api.GET('/events', init)),

    /**
     * Receives events as they are stored, over one connection that is restored when it breaks: each event once, in the
     * order of the feed. Begins at the end of the feed, or at `cursor`. Aborting `signal` ends the loop. Failures are waited
     * out and reported to `onStateChange`; an invalid request, and a refusal of the first connection, are thrown.
     */
    stream: ({ cursor = null, onStateChange, ...options }: EventStreamOptions = {}): ItemStream<Event> => {
      const { query, call: rules } = splitOptions<Omit<ReadOptions<'streamEvents'>, 'cursor'>>(options);
      return createItemStream<Event>({
        cursor,
        onStateChange,
        signals: definedSignals([rules.signal, connection.signal]),
        itemName: 'risk.event.created',
        open: (at) =>
          connection.open(rules, (init) => {
            const from = at === null ? query : { ...query, cursor: at };
            return api.GET('/events/stream', { params: { query: from }, ...init });
          }),
      });
    },

    get: (id: string, options: ReadOptions<'getEvent'> = {}): Promise<Event> =>
      readData(api.GET('/events/{id}', itemRequest(connection, id, options))),

    /** Reads what is known about an event besides its content: its places in the chains, and what followed from it. */
    context: (id: string, options: ReadOptions<'getEventContext'> = {}): Promise<EventContext> =>
      readData(api.GET('/events/{id}/context', itemRequest(connection, id, options))),

    /** Submits one event in a request signed by its device. `@tps/agent` does this for you, with retries. */
    submit: (signed: SignedRequest, options: CallOptions = {}): Promise<Event> =>
      readData(api.POST('/events', { ...signedInit<Event>(signed), ...call(options, 'nothing') })),

    /** Submits events of one device under one signature. `@tps/agent` does this for you, with retries. */
    submitBatch: (signed: SignedRequest, options: CallOptions = {}): Promise<EventBatchResults> =>
      readData(api.POST('/events/batch', { ...signedInit<EventBatch>(signed), ...call(options, 'nothing') })),
  };
}
