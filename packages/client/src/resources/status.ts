import { type Connection, readData } from '../http/connection.ts';
import type { ProtectionStatus } from '../schemas.ts';
import { type ReadOptions, splitOptions } from './read-options.ts';

/** The call on the state of protection. */
export function statusResource({ api, call }: Connection) {
  return {
    get: (options: ReadOptions<'getStatus'> = {}): Promise<ProtectionStatus> => {
      const { query, call: rules } = splitOptions(options);
      return readData(api.GET('/status', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
