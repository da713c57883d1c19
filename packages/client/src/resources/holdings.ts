import { type CallOptions, type Connection, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { AdoptedHoldings, HoldingAdoption, HoldingPage } from '../schemas.ts';
import { createListOf, type ListOptions } from './read-options.ts';

/** Calls on holdings: what acts on the authority of a person, token or OAuth client, and ends with it. */
export function holdingsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    /** Lists what would end with `owner_id`, or was set up through `client_id`; without both, all in the tenant. */
    list: (options: ListOptions<'listHoldings'> = {}): List<HoldingPage> =>
      createListOf(connection, options, (init) => api.GET('/holdings', init)),

    /** Makes the caller the owner of these holdings: they no longer end with the earlier owner. */
    adopt: (adoption: HoldingAdoption, options: CallOptions = {}): Promise<AdoptedHoldings> =>
      readData(api.POST('/holdings/adopt', { body: adoption, ...call(options, 'rate-limit') })),
  };
}
