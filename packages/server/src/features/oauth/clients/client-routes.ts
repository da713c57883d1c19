import {
  createOAuthClient,
  deleteOAuthClient,
  getOAuthClient,
  listOAuthClients,
  rotateOAuthClientSecret,
  updateOAuthClient,
} from '@tps/contract';
import { oncePerKey } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import { readPage } from '../../../platform/http/page.ts';
import { requestedChange } from '../../../platform/http/requested-change.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { notFound } from '../../../platform/service-error.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import type { OAuthClientService } from './client-service.ts';
import * as clientStore from './client-store.ts';
import { settingsOf, toCreatedOAuthClient, toOAuthClient } from './oauth-client.ts';

export function oauthClientRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  oauthClients: OAuthClientService;
}): Route[] {
  const { database, cursors, clock, oauthClients } = parts;
  const { read } = database;
  return [
    route(listOAuthClients, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listOAuthClients.path, query },
        read: (page) => clientStore.list(read, tenantId, page),
        keyOf: (client) => [client.clientId],
        toItem: (client) => toOAuthClient(client, clock.now()),
      }),
    })),

    route(createOAuthClient, async (exchange) => {
      const settings = settingsOf(exchange.body());
      await oauthClients.refuseEscalation(settings.scopes, exchange);
      return database.transaction(exchange, (tx, caller) =>
        oncePerKey(tx, {
          exchange,
          nowMs: clock.now(),
          work: async () => {
            const created = await oauthClients.create(tx, settings, { ...exchange, caller });
            return {
              status: 201,
              location: `/oauth-clients/${created.client.clientId}`,
              body: toCreatedOAuthClient(created, clock.now()),
            };
          },
          forRepeat: ({ body }) => ({ ...(body as object), client_secret: undefined }),
        }),
      );
    }),

    route(getOAuthClient, async ({ tenantId, id }) => {
      const client = await clientStore.find(read, tenantId, id);
      if (!client) throw notFound('OAuth client');
      return { status: 200, body: toOAuthClient(client, clock.now()) };
    }),

    route(updateOAuthClient, async (exchange) => {
      const change = requestedChange(exchange.body());
      const client = await oauthClients.update(exchange.id, { change, request: exchange });
      return { status: 200, body: toOAuthClient(client, clock.now()) };
    }),

    route(deleteOAuthClient, async (exchange) => {
      await oauthClients.remove(exchange.id, exchange);
      return { status: 204 };
    }),

    route(rotateOAuthClientSecret, async (exchange) => {
      const rotation = exchange.body();
      const created = await oauthClients.rotateSecret(exchange.id, { rotation, request: exchange });
      return { status: 200, body: toCreatedOAuthClient(created, clock.now()) };
    }),
  ];
}
