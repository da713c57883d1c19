import { type Connection, dataOf } from '../http/connection.ts';
import type { ProtectionStatus } from '../schemas.ts';
import { type ReadOptions, readingOf } from './read-options.ts';

/** Makes the call about the state of protection. */
export function statusResource({ api, call }: Connection) {
  return {
    get: (options: ReadOptions<'getStatus'> = {}): Promise<ProtectionStatus> => {
      const { query, call: rules } = readingOf(options);
      return dataOf(api.GET('/status', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
