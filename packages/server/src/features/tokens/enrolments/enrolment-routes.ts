import { createEnrolment, getEnrolment, listEnrolments, revokeEnrolment } from '@tps/contract';
import { oncePerKey } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import { readPage } from '../../../platform/http/page.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../../platform/list-filters.ts';
import { notFound } from '../../../platform/service-error.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import * as tokenStore from '../token-store.ts';
import { toCreatedEnrolment, toEnrolment } from './enrolment.ts';
import type { EnrolmentService } from './enrolment-service.ts';

export function enrolmentRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  enrolments: EnrolmentService;
}): Route[] {
  const { database, cursors, clock, enrolments } = parts;
  const { read } = database;
  return [
    route(listEnrolments, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listEnrolments.path, query },
        read: (page) =>
          tokenStore.list(read, tenantId, {
            filter: {
              kind: 'enrolments',
              status: toAnyOf(query.status),
              created: toTimeRange(query),
              nowMs: clock.now(),
            },
            page,
          }),
        keyOf: (enrolment) => [enrolment.tokenId],
        toItem: (enrolment) => toEnrolment(enrolment, clock.now()),
      }),
    })),

    route(createEnrolment, async (exchange) => {
      const wanted = exchange.body();
      return database.transaction(exchange, (tx, caller) =>
        oncePerKey(tx, {
          exchange,
          nowMs: clock.now(),
          work: async () => {
            const minted = await enrolments.create(tx, wanted, { ...exchange, caller });
            const location = `/enrolments/${minted.record.tokenId}`;
            return { status: 201, location, body: toCreatedEnrolment(minted, clock.now()) };
          },
          forRepeat: ({ body }) => ({ ...(body as object), secret: undefined }),
        }),
      );
    }),

    route(getEnrolment, async ({ tenantId, id }) => {
      const enrolment = await tokenStore.find(read, tenantId, id);
      if (!enrolment) throw notFound('enrolment');
      return { status: 200, body: toEnrolment(enrolment, clock.now()) };
    }),

    route(revokeEnrolment, async (exchange) => {
      await enrolments.revoke(exchange.tenantId, exchange.id, exchange);
      return { status: 204 };
    }),
  ];
}
