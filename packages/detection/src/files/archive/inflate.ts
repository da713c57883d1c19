import { Gunzip, Inflate } from 'fflate';
import { type Budget, isTimeUp } from '../file-limits.ts';

/** Deflate produces at most 1032 bytes from one, so that a step exceeds the limit by at most 4 MiB. */
const STEP_BYTES = 4096;

export interface InflateResult {
  readonly bytes: Uint8Array;
  /** Why the result is incomplete; the bytes up to there are returned. */
  readonly stopped?: 'too_large' | 'ratio' | 'time' | 'damaged';
}

/**
 * Unpacks raw deflate data (RFC 1951), or all members of a gzip file (RFC 1952), within the rest of the
 * budget, and subtracts the result from it. Sizes in headers are not trusted. Never throws.
 */
export function inflateWithin(
  packed: Uint8Array,
  budget: Budget,
  form: 'deflate' | 'gzip' = 'deflate',
): InflateResult {
  const { ratio, ratioFloorBytes } = budget.limits;
  const chunks: Uint8Array[] = [];
  let length = 0;
  let finished = false;
  const stream = new (form === 'gzip' ? Gunzip : Inflate)((chunk, final) => {
    chunks.push(chunk);
    length += chunk.length;
    finished ||= final;
  });
  let stopped: InflateResult['stopped'];
  try {
    for (let at = 0; at < packed.length && !finished && stopped === undefined; at += STEP_BYTES) {
      const end = Math.min(at + STEP_BYTES, packed.length);
      stream.push(packed.subarray(at, end), end === packed.length);
      if (length > budget.bytesLeft) stopped = 'too_large';
      else if (length > ratioFloorBytes && length > end * ratio) stopped = 'ratio';
      else if (isTimeUp(budget)) stopped = 'time';
    }
  } catch {
    stopped = 'damaged';
  }
  const bytes = join(chunks, Math.min(length, Math.max(budget.bytesLeft, 0)));
  budget.bytesLeft -= bytes.length;
  return stopped === undefined ? { bytes } : { bytes, stopped };
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only && chunks.length === 1) return only.subarray(0, length);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    const fitting = chunk.subarray(0, length - at);
    whole.set(fitting, at);
    at += fitting.length;
  }
  return whole;
}
