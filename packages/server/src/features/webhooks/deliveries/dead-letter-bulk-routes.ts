import { changeDeadLetters } from '@tps/contract';
import { changeInBulk } from '../../../platform/http/bulk.ts';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import * as deadLetterReadModel from './dead-letter-read-model.ts';
import { entryIdOf } from './delivery.ts';
import { toDeadFilter } from './delivery-routes.ts';
import type { DeliveryService } from './delivery-service.ts';

export function deadLetterBulkRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  deliveries: DeliveryService;
}): Route[] {
  const { database, cursors, deliveries } = parts;
  return [
    route(changeDeadLetters, async (exchange) => {
      const { tenantId } = exchange;
      const { change, ...selection } = exchange.body();
      const act = {
        replay: (id: string) => deliveries.replay(tenantId, { entry_id: id }, exchange),
        delete: (id: string) => deliveries.acknowledge(tenantId, id, exchange),
      }[change.action];
      return {
        status: 200,
        body: await changeInBulk({
          cursors,
          request: { tenantId, route: changeDeadLetters.path },
          selection,
          list: (filter, page) =>
            deadLetterReadModel.list(database.read, tenantId, { filter: toDeadFilter(filter), page }),
          keyOf: (entry) => [entry.deliveryId],
          idOf: (entry) => entryIdOf(entry.deliveryId),
          change: async (id) => {
            await act(id);
            return {};
          },
        }),
      };
    }),
  ];
}
