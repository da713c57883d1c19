import { webcrypto } from 'node:crypto';
import { type Operation, scanContent } from '@tps/contract';
import { modelContextFor } from '@tps/detection';
import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { indicatorStore } from '../indicators/index.ts';
import type { Examiner } from './analysis/content-analyzer.ts';
import { judgeScan } from './scan-result.ts';
import * as scanStore from './scan-store.ts';
import type { ScanWriter } from './scan-writer.ts';
import { toContent } from './submitted-content.ts';
import { tenantFindings } from './tenant-findings.ts';

const { subtle } = webcrypto;

export function scanRoutes(parts: {
  database: Database;
  clock: Clock;
  examiner: Examiner;
  writer: ScanWriter;
}): Route[] {
  const { database, clock, examiner, writer } = parts;
  return [
    route(scanContent, async (exchange) => {
      const { tenantId, rawBody, bulk } = exchange;
      const content = toContent(exchange.body(), bulk);
      const bodyDigest = bulk && (await digestOf(exchange));
      const { inspection, indicators } = await examiner.examine(content, { tenantId, body: rawBody });
      const nowMs = clock.now();
      const [known, matches] = await Promise.all([
        scanStore.findKnownThreats(database.read, tenantId, indicators),
        indicatorStore.findMatches(database.read, tenantId, inspection.keys, nowMs),
      ]);
      const model = modelContextFor(content.type, examiner.models);
      const knowledge = { matches, own: tenantFindings(known), model };
      const toResult = (scanId: string) => judgeScan(inspection, knowledge, { scanId, nowMs });
      return writer.write({ exchange, bodyDigest, nowMs, toResult });
    }),
  ];
}

/** Of the body of a scan that can be repeated: its bytes are gone once they were read. Megabytes are digested off this thread. */
async function digestOf({ header, rawBody }: Exchange<Operation>): Promise<Buffer | undefined> {
  if (header('idempotency-key') === undefined) return undefined;
  return Buffer.from(await subtle.digest('SHA-256', rawBody));
}
