import { type CallOptions, type Connection, done, readData } from '../http/connection.ts';
import type { SignOn, SignOnSettings } from '../schemas.ts';
import { type ReadOptions, splitOptions } from './read-options.ts';

/** Calls on the single sign-on of a tenant. */
export function signOnResource({ api, call }: Connection) {
  return {
    get: (options: ReadOptions<'getSignOn'> = {}): Promise<SignOn> => {
      const { query, call: rules } = splitOptions(options);
      return readData(api.GET('/sign-on', { params: { query }, ...call(rules, 'any-failure') }));
    },

    /** Sets up single sign-on or replaces its settings. The service contacts the provider first. */
    replace: (settings: SignOnSettings, options: CallOptions = {}): Promise<SignOn> =>
      readData(api.PUT('/sign-on', { body: settings, ...call(options, 'any-failure') })),

    /** Ends single sign-on, and the sessions that began with it. */
    remove: (options: ReadOptions<'removeSignOn'> = {}): Promise<void> => {
      const { query, call: rules } = splitOptions(options);
      return done(api.DELETE('/sign-on', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
