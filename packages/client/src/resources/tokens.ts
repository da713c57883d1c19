import {
  type CallOptions,
  type Connection,
  done,
  type KeyedOptions,
  readData,
  toIdempotencyKey,
} from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { AuditPage, CreatedToken, NewToken, Token, TokenPage, TokenRoll } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';

/** Calls on tokens. */
export function tokensResource(connection: Connection) {
  const { api, call } = connection;
  return {
    list: (options: ListOptions<'listTokens'> = {}): List<TokenPage> =>
      createListOf(connection, options, (init) => api.GET('/tokens', init)),

    get: (id: string, options: ReadOptions<'getToken'> = {}): Promise<Token> =>
      readData(api.GET('/tokens/{id}', itemRequest(connection, id, options))),

    /**
     * Creates a token. The secret is returned once: if the first answer was lost and the call was repeated, `token` is
     * missing. Revoke that token and create another.
     */
    create: (token: NewToken, options: KeyedOptions = {}): Promise<CreatedToken> => {
      const params = { header: { 'Idempotency-Key': toIdempotencyKey(options) } };
      return readData(api.POST('/tokens', { params, body: token, ...call(options, 'any-failure') }));
    },

    revoke: (id: string, options: ReadOptions<'revokeToken'> = {}): Promise<void> =>
      done(api.DELETE('/tokens/{id}', itemRequest(connection, id, options))),

    /** Creates a token that replaces another one, which stays valid for a while. */
    roll: (id: string, roll: TokenRoll = {}, options: CallOptions = {}): Promise<CreatedToken> => {
      const init = { params: { path: { id } }, body: roll };
      return readData(api.POST('/tokens/{id}/roll', { ...init, ...call(options, 'rate-limit') }));
    },

    /** Lists the audit entries of all tokens. */
    audit: (options: ListOptions<'listTokenAudit'> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/tokens/audit', init)),

    /** Lists the audit entries of one token. */
    auditOf: (id: string, options: ListOptions<'listAuditOfToken'> = {}): List<AuditPage> =>
      createListOf(connection, options, ({ params: { query }, fetch }) =>
        api.GET('/tokens/{id}/audit', { params: { path: { id }, query }, fetch }),
      ),
  };
}
