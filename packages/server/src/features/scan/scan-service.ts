import { webcrypto } from 'node:crypto';
import type { Operation, scanContent } from '@tps/contract';
import { modelContextFor } from '@tps/detection';
import type { Clock } from '../../platform/clock.ts';
import type { Exchange, Reply } from '../../platform/http/route.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { indicatorStore } from '../indicators/index.ts';
import type { ContentAnalyzer } from './analysis/content-analyzer.ts';
import { findKnownThreats } from './known-threat-read-model.ts';
import { toScanResult } from './scan-result.ts';
import type { ScanWriter } from './scan-writer.ts';
import { toContent } from './submitted-content.ts';
import { tenantFindings } from './tenant-findings.ts';

const { subtle } = webcrypto;

interface ScanServiceParts {
  readonly database: RequestDatabase;
  readonly clock: Clock;
  readonly analyzer: ContentAnalyzer;
  readonly writer: ScanWriter;
}

/** Analyzes submitted content, classifies it with the tenant's indicators, and stores the result. */
export class ScanService {
  readonly #parts: ScanServiceParts;

  constructor(parts: ScanServiceParts) {
    this.#parts = parts;
  }

  /** @throws ServiceError with any code of POST /scan */
  async scan(exchange: Exchange<typeof scanContent>): Promise<Reply> {
    const { database, clock, analyzer, writer } = this.#parts;
    const { tenantId, rawBody, rawMember } = exchange;
    const content = toContent(exchange.body(), rawMember);
    const bodyDigest = rawMember && (await digestOf(exchange));
    const { analysis, indicators } = await analyzer.analyze(content, { tenantId, body: rawBody });
    const nowMs = clock.now();
    const [known, matches] = await Promise.all([
      findKnownThreats(database.read, tenantId, indicators),
      indicatorStore.findMatches(database.read, tenantId, analysis.keys, nowMs),
    ]);
    const model = modelContextFor(content.type, analyzer.models);
    const knowledge = { matches, own: tenantFindings(known), model };
    const toResult = (scanId: string) => toScanResult(analysis, knowledge, { scanId, nowMs });
    return writer.write({ exchange, bodyDigest, nowMs, toResult });
  }
}

/**
 * Returns the digest of the body if the request has an idempotency key, before its bytes are transferred. Megabytes are
 * digested off the main thread.
 */
async function digestOf({ header, rawBody }: Exchange<Operation>): Promise<Buffer | undefined> {
  if (header('idempotency-key') === undefined) return undefined;
  return Buffer.from(await subtle.digest('SHA-256', rawBody));
}
