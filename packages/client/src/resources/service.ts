import { type CallOptions, type Connection, readData } from '../http/connection.ts';
import type { Liveness, Readiness } from '../schemas.ts';

/** Calls on the service itself. They are public and send no credential. */
export function serviceResource({ api, call }: Connection) {
  return {
    /** Checks whether the process responds. Never repeated: the first answer counts. */
    health: (options: CallOptions = {}): Promise<Liveness> =>
      readData(api.GET('/healthz', call(options, 'nothing', true))),

    /** Checks whether the service can process requests. Never repeated. @throws ServiceError `unavailable` if not */
    readiness: (options: CallOptions = {}): Promise<Readiness> =>
      readData(api.GET('/readyz', call(options, 'nothing', true))),

    /** Gets the service's OpenAPI document. This client's types are generated from the version it was built for. */
    openApi: (options: CallOptions = {}) =>
      readData(api.GET('/openapi.json', call(options, 'any-failure', true))),

    /** Gets the documentation page as HTML. */
    docs: (options: CallOptions = {}): Promise<string> =>
      readData(api.GET('/docs', { parseAs: 'text', ...call(options, 'any-failure', true) })),
  };
}
