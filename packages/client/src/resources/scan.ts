import { type Connection, type KeyedOptions, readData, toIdempotencyKey } from '../http/connection.ts';
import type { NewScan, ScanResult } from '../schemas.ts';

/** Makes the call that has content analysed. */
export function scanResource({ api, call }: Connection) {
  return {
    /** Has content analysed, and gives what was found in it. */
    content: (scan: NewScan, options: KeyedOptions = {}): Promise<ScanResult> => {
      const params = { header: { 'Idempotency-Key': toIdempotencyKey(options) } };
      return readData(api.POST('/scan', { params, body: scan, ...call(options, 'any-failure') }));
    },
  };
}
