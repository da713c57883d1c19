/** Where a piece of work is in a trace (W3C Trace Context). Plain data, which can be sent between threads. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits. */
  readonly spanId: string;
  readonly flags: number;
  /** Whether the span belongs to another program. */
  readonly isRemote: boolean;
}

/** Version, trace id, parent id and flags: 55 characters. A later version may append more. */
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/;
const MAX_LENGTH = 128;
/** `sampled` and `random-trace-id`. Others must not be passed on. */
const KNOWN_FLAGS = 0b11;

/** Returns the context of a `traceparent` header; undefined if it is malformed, as section 3.2 of the standard demands. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = FORM.exec(header) ?? [];
  if (version === '' || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS, isRemote: true };
}

export function formatTraceparent({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${flags & KNOWN_FLAGS}`;
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
