import { type CallOptions, type Connection, done, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import { bulkCalls } from '../paging/repeat-bulk.ts';
import type {
  Counts,
  DeadLetterBulk,
  DeadLetterBulkResults,
  DeadLetterPage,
  Replay,
  ReplayStarted,
} from '../schemas.ts';
import {
  createListOf,
  type ListOptions,
  queryRequest,
  type ReadOptions,
  splitOptions,
} from './read-options.ts';

/** Calls on dead letters: deliveries that failed permanently. */
export function deadLettersResource(connection: Connection) {
  const { api, call } = connection;
  return {
    ...bulkCalls(
      (body: DeadLetterBulk, options): Promise<DeadLetterBulkResults> =>
        readData(api.POST('/webhooks/dlq/bulk', { body, ...call(options, 'rate-limit') })),
    ),

    list: (options: ListOptions<'listDeadLetters'> = {}): List<DeadLetterPage> =>
      createListOf(connection, options, (init) => api.GET('/webhooks/dlq', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countDeadLetters'> = {}): Promise<Counts> =>
      readData(api.GET('/webhooks/dlq/counts', queryRequest(connection, options))),

    /** Delivers a dead letter again. */
    replay: (replay: Replay, options: CallOptions = {}): Promise<ReplayStarted> =>
      readData(api.POST('/webhooks/dlq', { body: replay, ...call(options, 'rate-limit') })),

    /** Removes the dead letter with the given `entry_id`. */
    remove: (options: ReadOptions<'deleteDeadLetter'>): Promise<void> => {
      const { query, call: rules } = splitOptions(options);
      return done(api.DELETE('/webhooks/dlq', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
