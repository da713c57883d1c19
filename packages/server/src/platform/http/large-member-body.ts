import { ServiceError } from '../service-error.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** More than the schemas allow beside the large member: texts of 100,000 characters, fully escaped. */
const MAX_BESIDE_BYTES = 1_310_720;
/** Commas and colons outside strings. Many small members cost JSON.parse a hundred times as much as one long one. */
const MAX_SEPARATORS = 2_048;
/** A string is read byte by byte up to here and after each escaped quote; beyond that, native search is faster. */
const SHORT_STRING_BYTES = 128;
/** More than the other members may take. The large member itself needs none of it: Base64 has no escaped quotes. */
const MAX_BY_HAND_BYTES = 2_097_152;

/** A parsed body in which one member is left as raw bytes. */
export interface LargeMemberBody {
  /** The rest, parsed. The member itself reads `-`, or is empty if it was empty. */
  readonly value: unknown;
  /** The bytes between the quotes, including escapes: a view into the body. Undefined when there is no such string. */
  readonly rawMember: Buffer | undefined;
}

/**
 * Parses a request body without the string of one top-level member, which may be megabytes long: only the rest goes
 * to `parse`. Measured on 16 MiB of Base64: 1 ms, against 140 ms for parsing all of it.
 *
 * @throws ServiceError as `parse` does; `payload_too_large` and `invalid_field` when the other members are more
 * than a
 *   few parameters
 */
export function parseLargeMemberBody(
  body: Buffer,
  { member, parse }: { member: string; parse: (body: Buffer) => unknown },
): LargeMemberBody {
  const span = findString(body, member);
  if (!span) return { value: parse(body), rawMember: undefined };
  const rawMember = body.subarray(span.start, span.end);
  const placeholder = Buffer.from(rawMember.length === 0 ? '' : '-');
  const rest = Buffer.concat([body.subarray(0, span.start), placeholder, body.subarray(span.end)]);
  return { value: parse(rest), rawMember };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds the bytes between the quotes of the first top-level member with this name and a string value. */
function findString(body: Buffer, member: string): Span | undefined {
  const name = Buffer.from(`"${member}"`);
  let found: Span | undefined;
  let depth = 0;
  let separators = 0;
  const strings = new StringReader(body);
  /** The previous token, if it was the member's name or the colon after it. */
  let before: 'name' | 'colon' | undefined;
  for (let at = 0; at < body.length; at += 1) {
    checkBeside(at - lengthOf(found), { separators, member });
    const byte = body[at] as number;
    if (byte !== QUOTE) {
      depth += depthChange(byte);
      separators += isSeparator(byte) ? 1 : 0;
      if (byte > SPACE) before = byte === COLON && before === 'name' ? 'colon' : undefined;
      continue;
    }
    const end = strings.endOf(at);
    if (before === 'colon') found ??= { start: at + 1, end };
    const isName = depth === 1 && end - at === name.length - 1 && name.compare(body, at, end + 1) === 0;
    before = isName ? 'name' : undefined;
    at = end;
  }
  return found;
}

function checkBeside(bytes: number, { separators, member }: { separators: number; member: string }): void {
  if (bytes > MAX_BESIDE_BYTES) {
    throw new ServiceError(
      'payload_too_large',
      `Apart from ${member}, the body is too large for this operation`,
    );
  }
  if (separators > MAX_SEPARATORS) throw new ServiceError('invalid_field', 'The body has too many members');
}

function lengthOf(span: Span | undefined): number {
  return span ? span.end - span.start : 0;
}

function isSeparator(byte: number): boolean {
  return byte === COLON || byte === COMMA;
}

function depthChange(byte: number): 1 | -1 | 0 {
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return 1;
  return byte === CLOSE_BRACE || byte === CLOSE_BRACKET ? -1 : 0;
}

/** Finds the end of strings, in a time that escapes do not prolong. */
class StringReader {
  readonly #body: Buffer;
  #byHandBytes = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** Returns the index of the closing quote, or the length of the body. */
  endOf(start: number): number {
    const { length } = this.#body;
    let at = start + 1;
    while (at < length) {
      const byHandUntil = at + SHORT_STRING_BYTES;
      while (at < length && at < byHandUntil) {
        const byte = this.#readByHand(at);
        if (byte === QUOTE) return at;
        at += byte === BACKSLASH ? 2 : 1;
      }
      const quote = this.#body.indexOf(QUOTE, at);
      if (quote === -1) return length;
      if (!this.#isEscaped(at, quote)) return quote;
      at = quote + 1;
    }
    return length;
  }

  /** Whether an odd number of backslashes precedes the quote. What precedes `from` is complete. */
  #isEscaped(from: number, quote: number): boolean {
    let at = quote;
    while (at > from && this.#readByHand(at - 1) === BACKSLASH) at -= 1;
    return (quote - at) % 2 === 1;
  }

  #readByHand(at: number): number {
    this.#byHandBytes += 1;
    if (this.#byHandBytes > MAX_BY_HAND_BYTES) {
      throw new ServiceError('invalid_field', 'The body has too many escaped characters');
    }
    return this.#body[at] as number;
  }
}
