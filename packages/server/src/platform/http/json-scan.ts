const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const SPACE = 0x20;

/** What a byte outside strings means. Zero: nothing. */
const KINDS = new Uint8Array(256);
const STRING = 1;
const OPEN = 2;
const CLOSE = 3;
const COLON = 4;
const COMMA = 5;
for (const [bytes, kind] of [
  ['"', STRING],
  ['[{', OPEN],
  [']}', CLOSE],
  [':', COLON],
  [',', COMMA],
] as const) {
  for (const byte of Buffer.from(bytes)) KINDS[byte] = kind;
}

/** What JSON may contain at most. The scan ends as soon as it finds more. */
export interface ScanLimits {
  readonly depth: number;
  /** Commas, colons and opening brackets outside strings: what makes JSON expensive to parse, more than its length. */
  readonly structure: number;
  /** Bytes of a string, with its quotes. */
  readonly text: number;
}

/** What one pass over JSON bytes finds before parsing. Exact for well-formed JSON within the limits. */
export interface JsonScan {
  /** The deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Commas, colons and opening brackets outside strings. */
  readonly structure: number;
  /** Colons outside strings: one per member. */
  readonly nameSeparators: number;
  /** Whether a string is longer than the limit. */
  readonly hasLongText: boolean;
}

/** Counts the depth and members of JSON bytes without parsing. Bytes of multi-byte characters never look like ASCII. */
export function scanJson(body: Buffer, limits: ScanLimits): JsonScan {
  let depth = 0;
  let deepest = 0;
  let structure = 0;
  let nameSeparators = 0;
  let hasLongText = false;
  const length = body.length;
  for (let at = 0; at < length; at += 1) {
    switch (KINDS[body[at] as number]) {
      case STRING: {
        const end = endOfString(body, at, limits.text);
        hasLongText = end - at >= limits.text;
        at = end;
        break;
      }
      case OPEN:
        structure += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
        break;
      case CLOSE:
        depth -= 1;
        continue;
      case COLON:
        structure += 1;
        nameSeparators += 1;
        break;
      case COMMA:
        structure += 1;
        break;
      default:
        continue;
    }
    if (structure > limits.structure || deepest > limits.depth || hasLongText) break;
  }
  return { depth: deepest, structure, nameSeparators, hasLongText };
}

/** Bytes of a body, without a copy. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** More than any body of this API has on its top level. */
const MAX_TOP_MEMBERS = 64;

/**
 * Finds the value of the first top-level member with this name, without parsing what surrounds it. A name that is written
 * with escapes is not found, nor one behind many others. Expects well-formed JSON, and returns any span for other bytes.
 */
export function findMember(body: Buffer, name: string): Span | undefined {
  const start = findValue(body, Buffer.from(`"${name}"`));
  return start === undefined ? undefined : { start, end: endOfMember(body, start) };
}

/** Returns the index after the colon that follows the name. */
function findValue(body: Buffer, quotedName: Buffer): number | undefined {
  let depth = 0;
  let isNamed = false;
  let members = 0;
  for (let at = 0; at < body.length && members < MAX_TOP_MEMBERS; at += 1) {
    const kind = KINDS[body[at] as number];
    if (kind === STRING) {
      isNamed = depth === 1 && isAt(body, at, quotedName);
      at = endOfString(body, at);
    } else if (kind === OPEN) {
      depth += 1;
    } else if (kind === CLOSE) {
      depth -= 1;
    } else if (kind === COLON && depth === 1) {
      if (isNamed) return at + 1;
      members += 1;
    }
  }
  return undefined;
}

/** Returns the index of the comma or bracket after a value; the length of the body if there is none. */
function endOfMember(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const kind = KINDS[body[at] as number];
    if (kind === STRING) at = endOfString(body, at);
    else if (kind === OPEN) depth += 1;
    else if (kind === COMMA && depth === 0) return at;
    else if (kind === CLOSE && --depth < 0) return at;
  }
  return body.length;
}

/** The items of an array, and the bytes between its brackets. */
export interface CutList {
  readonly items: readonly Span[];
  readonly inside: Span;
}

/**
 * Cuts the items out of the array in `span`, without parsing them: the bytes of an item may be anything, also nothing.
 * Stops after `maxItems + 1` items. Returns undefined for a value that is not an array.
 */
export function cutItems(body: Buffer, span: Span, maxItems: number): CutList | undefined {
  const open = skipSpace(body, span.start);
  if (body[open] !== OPEN_BRACKET) return undefined;
  const items: Span[] = [];
  let depth = 0;
  let start = open + 1;
  let at = start;
  for (; at < span.end && items.length <= maxItems; at += 1) {
    const kind = KINDS[body[at] as number];
    if (kind === STRING) {
      at = endOfString(body, at);
    } else if (kind === OPEN) {
      depth += 1;
    } else if (kind === COMMA && depth === 0) {
      items.push({ start, end: at });
      start = at + 1;
    } else if (kind === CLOSE) {
      depth -= 1;
      if (depth < 0) break;
    }
  }
  if (items.length > 0 || skipSpace(body, start) < at) items.push({ start, end: at });
  return { items, inside: { start: open + 1, end: at } };
}

function skipSpace(body: Buffer, start: number): number {
  let at = start;
  while (at < body.length && (body[at] as number) <= SPACE) at += 1;
  return at;
}

/**
 * Finds the first member name that occurs twice in one object. Expects well-formed JSON; used only for the error
 * message.
 */
export function findDuplicateName(body: Buffer): string | undefined {
  const names: (Set<string> | undefined)[] = [];
  let string = '""';
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    const kind = KINDS[byte];
    if (kind === STRING) {
      const end = endOfString(body, at);
      string = body.toString('utf8', at, end + 1);
      at = end;
    } else if (kind === COLON) {
      const name: string = JSON.parse(string);
      const seen = names.at(-1);
      if (seen?.has(name)) return name;
      seen?.add(name);
    } else if (kind === OPEN) {
      names.push(byte === OPEN_BRACE ? new Set() : undefined);
    } else if (kind === CLOSE) {
      names.pop();
    }
  }
  return undefined;
}

function isAt(body: Buffer, at: number, expected: Buffer): boolean {
  return expected.compare(body, at, Math.min(at + expected.length, body.length)) === 0;
}

/** Returns the index of the closing quote; where the string is longer than `maxBytes`, an index at or beyond that. */
function endOfString(body: Buffer, start: number, maxBytes = Infinity): number {
  const until = Math.min(body.length, start + maxBytes);
  let at = start + 1;
  while (at < until && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
