import type { Connection } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { GuidancePage } from '../schemas.ts';
import { createListOf, type ListOptions } from './read-options.ts';

/** Calls on guidance: advice for people about a threat. */
export function guidanceResource(connection: Connection) {
  return {
    list: (options: ListOptions<'listGuidance'> = {}): List<GuidancePage> =>
      createListOf(connection, options, (init) => connection.api.GET('/guidance', init)),
  };
}
