import { webcrypto } from 'node:crypto';
import { ID_PREFIXES, type Operation, scanContent } from '@tps/contract';
import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createId } from '../../platform/identifiers.ts';
import { type Exchange, type Route, route } from '../../platform/route.ts';
import { onceOnly } from '../idempotency/index.ts';
import { indicatorStore } from '../indicators/index.ts';
import type { Examiner } from './examine/examiner.ts';
import { thresholdsFor } from './examine/scan-models.ts';
import { judgeScan } from './judge-scan.ts';
import * as scanStore from './scan-store.ts';
import { toContent } from './submitted-content.ts';
import { tenantFindings } from './tenant-findings.ts';

const { subtle } = webcrypto;

export function scanRoutes(parts: { database: Database; clock: Clock; examiner: Examiner }): Route[] {
  const { database, clock, examiner } = parts;
  return [
    route(scanContent, async (exchange) => {
      const { tenantId, rawBody, bulk } = exchange;
      const content = toContent(exchange.body(), bulk);
      const bodyDigest = bulk && (await digestOf(exchange));
      const { inspection, indicators } = await examiner.examine(content, { tenantId, body: rawBody });
      const nowMs = clock.now();
      // Outside the transaction: what one tenant has reported much of must not keep others from writing.
      const [known, matches] = await Promise.all([
        scanStore.findKnownThreats(database.read, tenantId, indicators),
        indicatorStore.findMatches(database.read, tenantId, inspection.keys, nowMs),
      ]);
      const model = thresholdsFor(content.type, examiner.scanModels);
      return database.transaction((tx) =>
        onceOnly(tx, {
          exchange,
          nowMs,
          bodyDigest,
          work: async () => {
            const scanId = createId(ID_PREFIXES.scan, nowMs);
            const knowledge = { matches, own: tenantFindings(known), model };
            const result = judgeScan(inspection, knowledge, { scanId, nowMs });
            await scanStore.create(tx, tenantId, { result, nowMs });
            return { status: 200, body: result };
          },
          forRepeat: ({ body }) => body,
        }),
      );
    }),
  ];
}

/** Of the body of a scan that can be repeated: its bytes are gone once they were read. Megabytes are digested off this thread. */
async function digestOf({ header, rawBody }: Exchange<Operation>): Promise<Buffer | undefined> {
  if (header('idempotency-key') === undefined) return undefined;
  return Buffer.from(await subtle.digest('SHA-256', rawBody));
}
