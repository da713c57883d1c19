import { type CallOptions, type Connection, done, readData, readIfChanged } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  NewPolicy,
  NewPolicySimulation,
  Policy,
  PolicyChange,
  PolicyPage,
  PolicySimulation,
} from '../schemas.ts';
import {
  createListOf,
  itemRequest,
  type ListOptions,
  type ReadOptions,
  splitOptions,
} from './read-options.ts';
import { changeRequest } from './write-requests.ts';

/** Options for fetching a page of policies that the caller may already have. */
export type ChangedPolicyOptions = ReadOptions<'listPolicies'> & {
  readonly ifNoneMatch?: string | undefined;
};

/** Calls on policies. */
export function policiesResource(connection: Connection) {
  const { api, call } = connection;
  return {
    list: (options: ListOptions<'listPolicies'> = {}): List<PolicyPage> =>
      createListOf(connection, options, (init) => api.GET('/policies', init)),

    /** Fetches a page with its `etag`. Undefined when `ifNoneMatch` is still the etag of that page. */
    pageIfChanged: async ({
      ifNoneMatch,
      ...options
    }: ChangedPolicyOptions = {}): Promise<{ page: PolicyPage; etag: string } | undefined> => {
      const { query, call: rules } = splitOptions<ReadOptions<'listPolicies'>>(options);
      const header = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
      const params = { query, header };
      const answer = await readIfChanged(api.GET('/policies', { params, ...call(rules, 'any-failure') }));
      return answer && { page: answer.data, etag: answer.etag };
    },

    get: (id: string, options: ReadOptions<'getPolicy'> = {}): Promise<Policy> =>
      readData(api.GET('/policies/{id}', itemRequest(connection, id, options))),

    create: (policy: NewPolicy, options: CallOptions = {}): Promise<Policy> =>
      readData(api.POST('/policies', { body: policy, ...call(options, 'rate-limit') })),

    update: (id: string, change: PolicyChange, options: CallOptions = {}): Promise<Policy> =>
      readData(api.PATCH('/policies/{id}', changeRequest(connection, { id, body: change }, options))),

    /** Decides again on past events with a new or changed policy, and returns the differences. Stores nothing. */
    simulate: (simulation: NewPolicySimulation, options: CallOptions = {}): Promise<PolicySimulation> =>
      readData(api.POST('/policies/simulate', { body: simulation, ...call(options, 'any-failure') })),

    /** Archives a policy: it does not apply any more, and can still be read. */
    archive: (id: string, options: ReadOptions<'archivePolicy'> = {}): Promise<void> =>
      done(api.DELETE('/policies/{id}', itemRequest(connection, id, options))),
  };
}
