import { type Connection, type KeyedOptions, readData, toIdempotencyKey } from '../http/connection.ts';
import type { NewScan, ScanResult } from '../schemas.ts';

export interface ScanOptions extends KeyedOptions {
  /**
   * Language of the sentence in `details`, such as `de`, or several with quality values. Default: English; in a browser,
   * the languages that its user has set.
   */
  readonly language?: string | undefined;
}

/** The call that scans content. */
export function scanResource({ api, call }: Connection) {
  return {
    /** Scans content and returns the verdict with its findings. */
    content: (scan: NewScan, options: ScanOptions = {}): Promise<ScanResult> => {
      const { language } = options;
      const header = {
        'Idempotency-Key': toIdempotencyKey(options),
        ...(language !== undefined && { 'Accept-Language': language }),
      };
      const params = { header };
      return readData(api.POST('/scan', { params, body: scan, ...call(options, 'any-failure') }));
    },
  };
}
