import { type CallOptions, type Connection, done, type KeyedOptions, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { AuditPage, CreatedToken, NewToken, Token, TokenPage, TokenRoll } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, ofItem, type ReadOptions } from './read-options.ts';
import { changeRequest, createRequest } from './write-requests.ts';

/** Calls on tokens. */
export function tokensResource(connection: Connection) {
  const { api } = connection;
  return {
    list: (options: ListOptions<'listTokens'> = {}): List<TokenPage> =>
      createListOf(connection, options, (init) => api.GET('/tokens', init)),

    get: (id: string, options: ReadOptions<'getToken'> = {}): Promise<Token> =>
      readData(api.GET('/tokens/{id}', itemRequest(connection, id, options))),

    /**
     * Creates a token. The secret is returned once: if the first answer was lost and the call was repeated, `token` is
     * missing. Revoke that token and create another.
     */
    create: (token: NewToken, options: KeyedOptions = {}): Promise<CreatedToken> =>
      readData(api.POST('/tokens', createRequest(connection, token, options))),

    revoke: (id: string, options: ReadOptions<'revokeToken'> = {}): Promise<void> =>
      done(api.DELETE('/tokens/{id}', itemRequest(connection, id, options))),

    /** Creates a token that replaces another one, which stays valid for a while. */
    roll: (id: string, roll: TokenRoll = {}, options: CallOptions = {}): Promise<CreatedToken> =>
      readData(api.POST('/tokens/{id}/roll', changeRequest(connection, { id, body: roll }, options))),

    /** Lists the audit entries of all tokens. */
    audit: (options: ListOptions<'listTokenAudit'> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/tokens/audit', init)),

    /** Lists the audit entries of one token. */
    auditOf: (id: string, options: ListOptions<'listAuditOfToken'> = {}): List<AuditPage> =>
      createListOf(connection, options, (init) => api.GET('/tokens/{id}/audit', ofItem(id, init))),
  };
}
