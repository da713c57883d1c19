import {
  createToken,
  getToken,
  listAuditOfToken,
  listTokenAudit,
  listTokens,
  revokeToken,
  rollToken,
} from '@tps/contract';
import { oncePerKey } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type ListRequest, readPage } from '../../platform/http/page.ts';
import { type Exchange, type Reply, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import { readAuditOf } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { toCreatedToken, toToken } from './token.ts';
import type { TokenService } from './token-service.ts';
import * as tokenStore from './token-store.ts';

const AUDIT = { actionPrefix: 'token.' } as const;

export function tokenRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  tokens: TokenService;
}): Route[] {
  const { database, cursors, clock, tokens } = parts;
  const { read } = database;
  const readAudit = async (
    request: ListRequest,
    filter: { action: string | undefined; resourceId: string | undefined },
  ): Promise<Reply> => ({
    status: 200,
    body: await readAuditOf({ read, cursors }, request, { ...AUDIT, ...filter }),
  });
  return [
    route(listTokens, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listTokens.path, query },
        read: (page) => tokenStore.list(read, tenantId, { filter: toFilter(query, clock.now()), page }),
        keyOf: (token) => [token.tokenId],
        toItem: (token) => toToken(token, clock.now()),
      }),
    })),

    route(createToken, async (exchange) => {
      const wanted = exchange.body();
      await tokens.refuseEscalation(wanted, exchange);
      return database.transaction(exchange, (tx, caller) =>
        oncePerKey(tx, {
          exchange,
          nowMs: clock.now(),
          work: async () => {
            const minted = await tokens.create(tx, wanted, { ...exchange, caller });
            return createdReply(minted.record.tokenId, toCreatedToken(minted, clock.now()));
          },
          forRepeat: ({ body }) => ({ ...(body as object), token: undefined }),
        }),
      );
    }),

    route(listTokenAudit, async ({ tenantId, query }) => {
      const request = { tenantId, route: listTokenAudit.path, query };
      return readAudit(request, { action: query.action, resourceId: query.token_id });
    }),

    route(getToken, async ({ tenantId, id }) => {
      const token = await tokenStore.find(read, tenantId, id);
      // The list does not have the access tokens of OAuth either.
      if (!token || token.issued) throw notFound('token');
      return { status: 200, body: toToken(token, clock.now()) };
    }),

    route(listAuditOfToken, async ({ tenantId, id, query }) => {
      if (!(await tokenStore.find(read, tenantId, id))) throw notFound('token');
      const request = { tenantId, route: `${listAuditOfToken.path}#${id}`, query };
      return readAudit(request, { action: query.action, resourceId: id });
    }),

    route(revokeToken, async (exchange) => {
      await tokens.revoke(exchange.tenantId, exchange.id, exchange);
      return { status: 204 };
    }),

    route(rollToken, async (exchange) => {
      const { grace_s: graceS = 0 } = exchange.body();
      const minted = await tokens.roll(exchange.tenantId, exchange.id, { graceS, request: exchange });
      return createdReply(minted.record.tokenId, toCreatedToken(minted, clock.now()));
    }),
  ];
}

/** The credentials of devices would hide the tokens: they are listed device by device. */
function toFilter(query: Exchange<typeof listTokens>['query'], nowMs: number): tokenStore.TokenFilter {
  return {
    kind: query.device_id === undefined ? 'tokens' : { deviceId: query.device_id },
    status: toAnyOf(query.status),
    createdBy: toAnyOf(query.created_by),
    created: toTimeRange(query),
    nowMs,
  };
}

function createdReply(tokenId: string, body: unknown): Reply {
  return { status: 201, location: `/tokens/${tokenId}`, body };
}
