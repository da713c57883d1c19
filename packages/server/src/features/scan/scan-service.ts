import { webcrypto } from 'node:crypto';
import type { Operation, ScanResult, scanContent } from '@tps/contract';
import { DEFAULT_LANGUAGE, modelContextFor } from '@tps/detection';
import type { Clock } from '../../platform/clock.ts';
import type { Exchange, Reply } from '../../platform/http/route.ts';
import { NO_TRACER, type Tracer, traceShared } from '../../platform/tracing/tracer.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { indicatorStore } from '../indicators/index.ts';
import { acceptedLanguage } from './accepted-language.ts';
import type { ContentAnalyzer } from './analysis/content-analyzer.ts';
import { findKnownThreats } from './known-threat-read-model.ts';
import { toScanResult } from './scan-result.ts';
import type { ScanWriter } from './scan-writer.ts';
import { type SubmittedContent, toContent } from './submitted-content.ts';
import { tenantFindings } from './tenant-findings.ts';

const { subtle } = webcrypto;

interface ScanServiceParts {
  readonly database: RequestDatabase;
  readonly clock: Clock;
  readonly analyzer: ContentAnalyzer;
  readonly writer: ScanWriter;
  /** Default: none. */
  readonly tracer?: Tracer;
}

/** Analyzes submitted content, classifies it with the tenant's indicators, and stores the result. */
export class ScanService {
  readonly #parts: ScanServiceParts;

  constructor(parts: ScanServiceParts) {
    this.#parts = parts;
  }

  /** @throws ServiceError with any code of POST /scan */
  async scan(exchange: Exchange<typeof scanContent>): Promise<Reply> {
    const { database, clock, writer } = this.#parts;
    const { tenantId, rawMember } = exchange;
    const content = toContent(exchange.body(), rawMember);
    const bodyDigest = rawMember && (await digestOf(exchange));
    const { analysis, indicators } = await this.#analyze(content, exchange);
    const nowMs = clock.now();
    const [known, matches] = await Promise.all([
      findKnownThreats(database.read, tenantId, indicators),
      indicatorStore.findMatches(database.read, tenantId, analysis.keys, nowMs),
    ]);
    const model = modelContextFor(content.type, this.#parts.analyzer.models);
    const language = acceptedLanguage(exchange.header('accept-language'));
    const knowledge = { matches, own: tenantFindings(known), model, language };
    const toResult = (scanId: string) => toScanResult(analysis, knowledge, { scanId, nowMs });
    const reply = await writer.write({ exchange, bodyDigest, nowMs, toResult });
    // The response to a repeated key is in the language of the first one.
    return { ...reply, language: languageOf(reply) };
  }

  #analyze(content: SubmittedContent, { tenantId, rawBody, trace }: Exchange<typeof scanContent>) {
    const { analyzer, tracer = NO_TRACER } = this.#parts;
    const attributes = { 'tps.scan.type': content.type };
    return traceShared(tracer, { name: 'analyze content', parents: [trace], attributes }, () =>
      analyzer.analyze(content, { tenantId, body: rawBody }),
    );
  }
}

/** Results that were stored before they had a language are in English. */
function languageOf({ body, json = '{}' }: Reply): string {
  const { language = DEFAULT_LANGUAGE } = (body ?? JSON.parse(json)) as Partial<ScanResult>;
  return language;
}

/**
 * Returns the digest of the body if the request has an idempotency key, before its bytes are transferred. Megabytes are
 * digested off the main thread.
 */
async function digestOf({ header, rawBody }: Exchange<Operation>): Promise<Buffer | undefined> {
  if (header('idempotency-key') === undefined) return undefined;
  return Buffer.from(await subtle.digest('SHA-256', rawBody));
}
