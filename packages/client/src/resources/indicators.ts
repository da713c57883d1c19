import { type CallOptions, type Connection, done, readData, readIfChanged } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  IndicatorBundle,
  IndicatorImport,
  IndicatorImportResult,
  IndicatorKeys,
  IndicatorPage,
  IndicatorSources,
} from '../schemas.ts';
import { createListOf, type ListOptions, type ReadOptions, splitOptions } from './read-options.ts';

/** How a bundle is read that may be known already. */
export type ChangedBundleOptions = ReadOptions<'getIndicatorBundle'> & {
  readonly ifNoneMatch?: string | undefined;
};

/** Makes the calls about indicators: what gives threats away. */
export function indicatorsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    list: (options: ListOptions<'listIndicators'> = {}): List<IndicatorPage> =>
      createListOf(connection, options, (init) => api.GET('/indicators', init)),

    sources: (options: ReadOptions<'listIndicatorSources'> = {}): Promise<IndicatorSources> => {
      const { query, call: rules } = splitOptions<ReadOptions<'listIndicatorSources'>>(options);
      return readData(api.GET('/indicators/sources', { params: { query }, ...call(rules, 'any-failure') }));
    },

    /** Imports up to 1000 indicators of one source. Send the `import_id` of the answer with all further ones. */
    import: (request: IndicatorImport, options: CallOptions = {}): Promise<IndicatorImportResult> =>
      readData(api.POST('/indicators', { body: request, ...call(options, 'any-failure') })),

    /** Removes a source or, with `type` and `value`, one of its indicators. */
    remove: (options: ReadOptions<'removeIndicators'>): Promise<void> => {
      const { query, call: rules } = splitOptions<ReadOptions<'removeIndicators'>>(options);
      return done(api.DELETE('/indicators', { params: { query }, ...call(rules, 'rate-limit') }));
    },

    /** Reads the signed bundle with its `etag`; undefined when `ifNoneMatch` is the etag of that bundle still. */
    bundleIfChanged: async ({
      ifNoneMatch,
      ...options
    }: ChangedBundleOptions = {}): Promise<{ bundle: IndicatorBundle; etag: string } | undefined> => {
      const { query, call: rules } = splitOptions<ReadOptions<'getIndicatorBundle'>>(options);
      const header = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
      const params = { query, header };
      const answer = await readIfChanged(
        api.GET('/indicators/bundle', { params, ...call(rules, 'any-failure') }),
      );
      return answer && { bundle: answer.data, etag: answer.etag };
    },

    /** Reads the public keys that bundles are signed with. */
    keys: (options: ReadOptions<'getIndicatorKeys'> = {}): Promise<IndicatorKeys> => {
      const { query, call: rules } = splitOptions<ReadOptions<'getIndicatorKeys'>>(options);
      return readData(api.GET('/indicators/keys', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
