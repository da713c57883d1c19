import { type CallOptions, type Connection, readData } from '../http/connection.ts';
import type { Liveness, Readiness } from '../schemas.ts';

/** Makes the calls about the service itself, which are open to all: no credential goes along. */
export function serviceResource({ api, call }: Connection) {
  return {
    /** Tells whether the process answers. Never repeated: what counts is the first answer. */
    health: (options: CallOptions = {}): Promise<Liveness> =>
      readData(api.GET('/healthz', call(options, 'nothing', true))),

    /** Tells whether the service can work. Never repeated. @throws ServiceError `unavailable` when it cannot */
    readiness: (options: CallOptions = {}): Promise<Readiness> =>
      readData(api.GET('/readyz', call(options, 'nothing', true))),

    /** Gets the document from which this client's types were made, as that service has it. */
    openApi: (options: CallOptions = {}) =>
      readData(api.GET('/openapi.json', call(options, 'any-failure', true))),

    /** Gets the page of the documentation as HTML. */
    docs: (options: CallOptions = {}): Promise<string> =>
      readData(api.GET('/docs', { parseAs: 'text', ...call(options, 'any-failure', true) })),
  };
}
