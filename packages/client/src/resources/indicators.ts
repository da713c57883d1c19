import { type CallOptions, type Connection, done, readData, readIfChanged } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  CheckedIndicators,
  IndicatorBundle,
  IndicatorCheck,
  IndicatorImport,
  IndicatorImportResult,
  IndicatorKeys,
  IndicatorPage,
  IndicatorSources,
} from '../schemas.ts';
import { createListOf, type ListOptions, type ReadOptions, splitOptions } from './read-options.ts';

/** Options for fetching a bundle that the caller may already have. */
export type ChangedBundleOptions = ReadOptions<'getIndicatorBundle'> & {
  readonly ifNoneMatch?: string | undefined;
};

/** Calls on indicators of threats. */
export function indicatorsResource(connection: Connection) {
  const { api, call } = connection;
  return {
    list: (options: ListOptions<'listIndicators'> = {}): List<IndicatorPage> =>
      createListOf(connection, options, (init) => api.GET('/indicators', init)),

    sources: (options: ReadOptions<'listIndicatorSources'> = {}): Promise<IndicatorSources> => {
      const { query, call: rules } = splitOptions<ReadOptions<'listIndicatorSources'>>(options);
      return readData(api.GET('/indicators/sources', { params: { query }, ...call(rules, 'any-failure') }));
    },

    /** Imports up to 1000 indicators of one source. Send the `import_id` of the answer with all further parts. */
    import: (request: IndicatorImport, options: CallOptions = {}): Promise<IndicatorImportResult> =>
      readData(api.POST('/indicators', { body: request, ...call(options, 'any-failure') })),

    /** Returns what up to 1000 values are, and which of them are known. Stores nothing. */
    check: (request: IndicatorCheck, options: CallOptions = {}): Promise<CheckedIndicators> =>
      readData(api.POST('/indicators/check', { body: request, ...call(options, 'any-failure') })),

    /** Removes a source or, with `type` and `value`, one of its indicators. */
    remove: (options: ReadOptions<'removeIndicators'>): Promise<void> => {
      const { query, call: rules } = splitOptions<ReadOptions<'removeIndicators'>>(options);
      return done(api.DELETE('/indicators', { params: { query }, ...call(rules, 'rate-limit') }));
    },

    /** Fetches the signed bundle with its `etag`. Undefined when `ifNoneMatch` is still the etag of the bundle. */
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

    /** Fetches the public keys that bundles are signed with. */
    keys: (options: ReadOptions<'getIndicatorKeys'> = {}): Promise<IndicatorKeys> => {
      const { query, call: rules } = splitOptions<ReadOptions<'getIndicatorKeys'>>(options);
      return readData(api.GET('/indicators/keys', { params: { query }, ...call(rules, 'any-failure') }));
    },
  };
}
