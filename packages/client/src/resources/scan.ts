import { type Connection, type KeyedOptions, readData, toIdempotencyKey } from '../http/connection.ts';
import type { NewScan, ScanResult } from '../schemas.ts';

/** The call that scans content. */
export function scanResource({ api, call }: Connection) {
  return {
    /** Scans content and returns the verdict with its findings. */
    content: (scan: NewScan, options: KeyedOptions = {}): Promise<ScanResult> => {
      const params = { header: { 'Idempotency-Key': toIdempotencyKey(options) } };
      return readData(api.POST('/scan', { params, body: scan, ...call(options, 'any-failure') }));
    },
  };
}
