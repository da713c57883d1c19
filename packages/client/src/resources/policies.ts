import { type CallOptions, type Connection, dataOf, done } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { NewPolicy, Policy, PolicyChange, PolicyPage } from '../schemas.ts';
import { listOf, type ReadOptions, readingOf } from './read-options.ts';

/** Makes the calls about policies. */
export function policiesResource(connection: Connection) {
  const { api, call } = connection;
  return {
    list: (options: ReadOptions<'listPolicies'> = {}): List<PolicyPage> =>
      listOf(connection, options, (init) => api.GET('/policies', init)),

    get: (id: string, options: ReadOptions<'getPolicy'> = {}): Promise<Policy> => {
      const { query, call: rules } = readingOf(options);
      const params = { path: { id }, query };
      return dataOf(api.GET('/policies/{id}', { params, ...call(rules, 'any-failure') }));
    },

    create: (policy: NewPolicy, options: CallOptions = {}): Promise<Policy> =>
      dataOf(api.POST('/policies', { body: policy, ...call(options, 'rate-limit') })),

    update: (id: string, change: PolicyChange, options: CallOptions = {}): Promise<Policy> => {
      const params = { path: { id } };
      return dataOf(api.PATCH('/policies/{id}', { params, body: change, ...call(options, 'rate-limit') }));
    },

    /** Takes a policy out of force and keeps it readable. */
    archive: (id: string, options: ReadOptions<'archivePolicy'> = {}): Promise<void> => {
      const { query, call: rules } = readingOf(options);
      const params = { path: { id }, query };
      return done(api.DELETE('/policies/{id}', { params, ...call(rules, 'any-failure') }));
    },
  };
}
