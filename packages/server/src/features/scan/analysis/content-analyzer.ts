import type { Models, PlainContent } from '@tps/detection';
import type { Config } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { EncodedContent, SubmittedContent } from '../submitted-content.ts';
import { analyzePlain, toUnreadable } from './analyze-content.ts';
import type { BytesToDecode, ContentAnalysis, EncodedBytes } from './content-analysis.ts';
import { openModels } from './scan-models.ts';
import { readWorkerSettings, type ScanWorkerSettings } from './scan-worker-settings.ts';
import { type PoolOutcome, WorkerPool } from './worker-pool.ts';

/**
 * Read at once up to here, which takes 15 ms at most, of letters that grow when they are folded; a usual message takes less than one.
 * What is longer goes to a thread: 100,000 take up to 50 ms, which no other tenant should wait behind.
 */
const SHORT_CHARACTERS = 4_096;

interface ContentAnalyzerParts {
  readonly workers: number;
  readonly settings: ScanWorkerSettings;
  readonly models: Models | undefined;
  readonly logger: Logger;
}

/** Reads content without ever keeping the event loop for long: short texts here, everything else in threads. */
export class ContentAnalyzer {
  readonly #models: Models | undefined;
  readonly #pool: WorkerPool;
  readonly #deadlineMs: number;

  private constructor({ workers, settings, models, logger }: ContentAnalyzerParts) {
    this.#deadlineMs = settings.deadlineMs;
    this.#models = models;
    this.#pool = new WorkerPool({ workers, settings, logger });
  }

  /**
   * Loads the models. Without them content goes by everything else, and the log says so.
   * @throws Error for rules or certificates that cannot be used
   */
  static async open(config: Config['scan'], logger: Logger): Promise<ContentAnalyzer> {
    const settings = await readWorkerSettings(config);
    const { models, failure } = openModels(config.modelFile);
    if (failure) logger.error({ err: failure }, 'the models of scans could not be loaded');
    return new ContentAnalyzer({ workers: config.workers, settings, models, logger });
  }

  get models(): Models | undefined {
    return this.#models;
  }

  /** Whether texts and links can be scored, and not only looked up. */
  isUp(): boolean {
    return this.#models !== undefined;
  }

  /**
   * Reads content. What cannot be read in time or in bounds gives an inspection that says so. Bytes are gone afterwards,
   * with the body of the request in which they stand.
   * @throws ServiceError `invalid_field` for what is no Base64, `unavailable` when too much waits
   */
  async analyze(
    content: SubmittedContent,
    { tenantId, body }: { tenantId: TenantId; body: Buffer },
  ): Promise<ContentAnalysis> {
    if (!('base64' in content) && isShort(content)) return analyzePlain(content, this.#models);
    const task = { content: 'base64' in content ? toEncoded(content, body) : content };
    return this.#toContentAnalysis(await this.#pool.run(task, tenantId), content);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #toContentAnalysis(outcome: PoolOutcome, { type }: SubmittedContent): ContentAnalysis {
    switch (outcome.kind) {
      case 'analyzed':
        return outcome.analysis;
      case 'not_base64':
        throw new ServiceError(
          'invalid_field',
          'content_b64 must be Base64 with padding (RFC 4648, section 4)',
        );
      case 'refused':
        throw new ServiceError('unavailable', 'Too much is being scanned at this moment', {
          retryAfterSeconds: Math.ceil(this.#deadlineMs / 1000),
        });
      case 'overrun': {
        const why = `it could not be read within ${this.#deadlineMs / 1000} s`;
        return { analysis: toUnreadable(type, why), indicators: [] };
      }
      default:
        return {
          analysis: toUnreadable(type, 'it could not be read within the bounds of a scan'),
          indicators: [],
        };
    }
  }
}

function isShort(content: PlainContent): boolean {
  switch (content.type) {
    case 'text':
      return content.text.length <= SHORT_CHARACTERS;
    case 'url':
      return content.url.length <= SHORT_CHARACTERS;
    default:
      return true;
  }
}

function toEncoded({ base64, ...described }: EncodedContent, body: Buffer): BytesToDecode {
  return { ...described, encoded: toEncodedBytes(base64, body) };
}

/** Small bodies share their memory with others, which from Node 22 on cannot be transferred: those are copied. */
function toEncodedBytes(base64: Buffer, body: Buffer): EncodedBytes {
  const start = base64.byteOffset - body.byteOffset;
  const own = body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
  return { body: own, start, end: start + base64.byteLength };
}
