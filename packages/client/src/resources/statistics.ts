import { type Connection, readData } from '../http/connection.ts';
import type { Statistics } from '../schemas.ts';
import { type ReadOptions, splitOptions } from './read-options.ts';

/** The call on counts over time. */
export function statisticsResource({ api, call }: Connection) {
  return {
    get: (options: ReadOptions<'getStatistics'> = {}): Promise<Statistics> => {
      const { query, call: rules } = splitOptions(options);
      return readData(api.GET('/statistics', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
