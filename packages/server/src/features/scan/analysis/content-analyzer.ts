import type { Models, PlainContent, TextContent } from '@tps/detection';
import type { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { EncodedContent, SubmittedContent } from '../submitted-content.ts';
import { analyzePlain, toUnreadable } from './analyze-content.ts';
import { isBase64 } from './check-base64.ts';
import type { BytesToDecode, ContentAnalysis, EncodedBytes } from './content-analysis.ts';
import { openModels } from './scan-models.ts';
import { readWorkerSettings, type ScanWorkerSettings } from './scan-worker-settings.ts';
import { type PoolOutcome, WorkerPool } from './worker-pool.ts';

/**
 * Texts up to this length, with the messages before them, are analyzed on the main thread: at most 15 ms, for letters that
 * expand when folded; less than 1 ms for a typical message. Longer texts go to a worker thread: 100,000 characters take up
 * to 50 ms, and no other tenant should wait behind that.
 */
const MAX_INLINE_CHARACTERS = 4_096;

interface ContentAnalyzerParts {
  readonly workers: number;
  readonly settings: ScanWorkerSettings;
  readonly models: Models | undefined;
  readonly logger: Logger;
  readonly turns: FairTurns;
}

/** Analyzes content without blocking the event loop for long: short texts inline, everything else in worker threads. */
export class ContentAnalyzer {
  readonly #models: Models | undefined;
  readonly #pool: WorkerPool;
  readonly #deadlineMs: number;
  readonly #turns: FairTurns;

  private constructor({ workers, settings, models, logger, turns }: ContentAnalyzerParts) {
    this.#turns = turns;
    this.#deadlineMs = settings.deadlineMs;
    this.#models = models;
    this.#pool = new WorkerPool({ workers, settings, logger });
  }

  /**
   * Loads the models. If that fails, an error is logged and content is classified without them.
   * @throws Error for unusable rules or certificates
   */
  static async open(
    config: Config['scan'],
    { logger, turns }: Pick<ContentAnalyzerParts, 'logger' | 'turns'>,
  ): Promise<ContentAnalyzer> {
    const settings = await readWorkerSettings(config);
    const { models, failure } = openModels(config.modelFile);
    if (failure) logger.error({ err: failure }, 'scan models could not be loaded');
    return new ContentAnalyzer({ workers: config.workers, settings, models, logger, turns });
  }

  get models(): Models | undefined {
    return this.#models;
  }

  /** Whether texts and links can be scored, not only looked up. */
  isUp(): boolean {
    return this.#models !== undefined;
  }

  /**
   * Analyzes content. If it cannot be read within the limits of time and memory, the analysis says so. For content with
   * bytes, the body of the request is transferred and cannot be used afterwards.
   * @throws ServiceError `invalid_field` for invalid Base64, `unavailable` when the queue is full
   */
  async analyze(
    content: SubmittedContent,
    { tenantId, body }: { tenantId: TenantId; body: Buffer },
  ): Promise<ContentAnalysis> {
    if (!('base64' in content) && isShort(content)) {
      return this.#turns.run(tenantId, () => analyzePlain(content, this.#models));
    }
    // The form of a request is judged first, whether there is a thread for its content or not.
    if ('base64' in content && !(await this.#turns.runSteps(tenantId, isBase64(content.base64)))) {
      throw new ServiceError(
        'invalid_field',
        'content_b64 must be Base64 with padding (RFC 4648, section 4)',
      );
    }
    const task = { content: 'base64' in content ? toEncoded(content, body) : content };
    return this.#toContentAnalysis(await this.#pool.run(task, tenantId), content);
  }

  /** Starts the threads. Resolves with whether they can take work, which takes a while on a busy machine. */
  warmUp(): Promise<boolean> {
    return this.#pool.warmUp();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #toContentAnalysis(outcome: PoolOutcome, { type }: SubmittedContent): ContentAnalysis {
    switch (outcome.kind) {
      case 'analyzed':
        return outcome.analysis;
      case 'refused':
        throw new ServiceError('unavailable', 'Too many scans are in progress', {
          retryAfterSeconds: Math.ceil(this.#deadlineMs / 1000),
        });
      case 'overrun': {
        const why = `it could not be read within ${this.#deadlineMs / 1000} s`;
        return { analysis: toUnreadable(type, why), indicators: [] };
      }
      default:
        return {
          analysis: toUnreadable(type, 'it could not be read within the limits of a scan'),
          indicators: [],
        };
    }
  }
}

function isShort(content: PlainContent): boolean {
  switch (content.type) {
    case 'text':
      return lengthOf(content) <= MAX_INLINE_CHARACTERS;
    case 'url':
      return content.url.length <= MAX_INLINE_CHARACTERS;
    default:
      return true;
  }
}

function lengthOf({ text, context }: TextContent): number {
  return (context?.previous ?? []).reduce((length, message) => length + message.length, text.length);
}

function toEncoded({ base64, ...described }: EncodedContent, body: Buffer): BytesToDecode {
  return { ...described, encoded: toEncodedBytes(base64, body) };
}

/** Small bodies share memory with other buffers and cannot be transferred from Node 22 on, so they are copied. */
function toEncodedBytes(base64: Buffer, body: Buffer): EncodedBytes {
  const start = base64.byteOffset - body.byteOffset;
  const own = body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
  return { body: own, start, end: start + base64.byteLength };
}
