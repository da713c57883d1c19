import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../service-error.ts';

const VERSION = 1;
const FILTER_BYTES = 8;
const MAC_BYTES = 16;
const HEADER_BYTES = 1 + FILTER_BYTES + MAC_BYTES;
const MAX_CURSOR_LENGTH = 512;

/** What a cursor is valid for: one tenant's list at one route with one set of filters. */
export type CursorScope = {
  tenantId: string;
  route: string;
  /** The filters as the client sent them; `undefined` equals absent. Paging itself (`limit`) is not a filter. */
  filters: Readonly<Record<string, string | undefined>>;
};

/** Where the next page starts: the values of the list's sort key. Numbers are finite. */
export type CursorPosition = (string | number)[];

export type CursorCodec = ReturnType<typeof createCursorCodec>;

/**
 * Encodes and decodes opaque page cursors. A cursor never expires, and every node with the same key accepts it.
 * Layout, in base64url: version, digest of the filters, truncated HMAC-SHA256, position as JSON.
 */
export function createCursorCodec(key: Buffer) {
  return {
    /** @throws RangeError when the position cannot be encoded: too long, or a number that is not finite */
    encode({ position, ...scope }: CursorScope & { position: CursorPosition }): string {
      if (position.some((part) => typeof part === 'number' && !Number.isFinite(part))) {
        throw new RangeError('a cursor position contains a number that is not finite');
      }
      const payload = Buffer.from(JSON.stringify(position));
      const filters = digestFilters(scope.filters);
      const mac = authenticate(key, { scope, filters, payload });
      const cursor = Buffer.concat([Buffer.of(VERSION), filters, mac, payload]).toString('base64url');
      if (cursor.length > MAX_CURSOR_LENGTH) throw new RangeError('a cursor position is too long');
      return cursor;
    },

    /**
     * @throws ServiceError `cursor_filter_mismatch` for a genuine cursor of the same list with other filters;
     *   `invalid_cursor` for any other cursor that was not issued to this tenant for this route
     */
    decode(cursor: string, scope: CursorScope): CursorPosition {
      const bytes = toBytes(cursor);
      const filters = bytes.subarray(1, 1 + FILTER_BYTES);
      const mac = bytes.subarray(1 + FILTER_BYTES, HEADER_BYTES);
      const payload = bytes.subarray(HEADER_BYTES);
      if (!timingSafeEqual(mac, authenticate(key, { scope, filters, payload }))) throw invalidCursor();
      if (!timingSafeEqual(filters, digestFilters(scope.filters))) {
        throw new ServiceError(
          'cursor_filter_mismatch',
          'The cursor was issued for other filters. Use the same filters, or start without a cursor.',
        );
      }
      return JSON.parse(payload.toString('utf8'));
    },
  };
}

function toBytes(cursor: string): Buffer {
  if (cursor.length > MAX_CURSOR_LENGTH) throw invalidCursor();
  const bytes = Buffer.from(cursor, 'base64url');
  // Node ignores foreign characters and unused bits: accept only the canonical text of these bytes.
  if (bytes.toString('base64url') !== cursor) throw invalidCursor();
  if (bytes.length <= HEADER_BYTES || bytes[0] !== VERSION) throw invalidCursor();
  return bytes;
}

function authenticate(
  key: Buffer,
  { scope, filters, payload }: { scope: CursorScope; filters: Buffer; payload: Buffer },
): Buffer {
  // The JSON text separates any tenant from any route, and cannot contain a raw line feed.
  return createHmac('sha256', key)
    .update(`${JSON.stringify([VERSION, scope.tenantId, scope.route])}\n`)
    .update(filters)
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES);
}

function digestFilters(filters: CursorScope['filters']): Buffer {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(given)).digest().subarray(0, FILTER_BYTES);
}

function invalidCursor(): ServiceError {
  return new ServiceError('invalid_cursor', 'The cursor is damaged or was not issued for this list.');
}
