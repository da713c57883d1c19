import { ID_PREFIXES, scanContent } from '@tps/contract';
import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createId } from '../../platform/identifiers.ts';
import { type Route, route } from '../../platform/route.ts';
import { onceOnly } from '../idempotency/index.ts';
import { judgeScan } from './judge-scan.ts';
import * as scanStore from './scan-store.ts';
import { indicatorsOf } from './submitted-indicators.ts';

export function scanRoutes({ database, clock }: { database: Database; clock: Clock }): Route[] {
  return [
    route(scanContent, async (exchange) => {
      const { tenantId } = exchange;
      const scan = exchange.body();
      const indicators = indicatorsOf(scan);
      const nowMs = clock.now();
      // Outside the transaction: what one tenant has reported much of must not keep others from writing.
      const known = await scanStore.findKnownThreats(database.read, tenantId, indicators);
      return database.transaction((tx) =>
        onceOnly(tx, {
          exchange,
          nowMs,
          work: async () => {
            const scanId = createId(ID_PREFIXES.scan, nowMs);
            const result = judgeScan(scan, known, { scanId, nowMs });
            await scanStore.create(tx, tenantId, { result, nowMs });
            return { status: 200, body: result };
          },
          forRepeat: ({ body }) => body,
        }),
      );
    }),
  ];
}
