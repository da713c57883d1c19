const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What one pass over JSON bytes finds before parsing. Exact for well-formed JSON. */
export type JsonScan = {
  /** The deepest nesting of objects and arrays; the scan stops at the first level over the limit. */
  depth: number;
  /** Colons outside strings: one per member. */
  nameSeparators: number;
};

/** Counts the depth and members of JSON bytes without parsing. Bytes of multi-byte characters never look like ASCII. */
export function scanJson(body: Buffer, maxDepth: number): JsonScan {
  let depth = 0;
  let deepest = 0;
  let nameSeparators = 0;
  const length = body.length;
  for (let at = 0; at < length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) {
      at = endOfString(body, at);
    } else if (byte === COLON) {
      nameSeparators += 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (depth > maxDepth) break;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return { depth: deepest, nameSeparators };
}

/**
 * Finds the first member name that occurs twice in one object. Expects well-formed JSON; used only for the error
 * message.
 */
export function findDuplicateName(body: Buffer): string | undefined {
  const names: (Set<string> | undefined)[] = [];
  let string = '""';
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      string = body.toString('utf8', at, end + 1);
      at = end;
    } else if (byte === COLON) {
      const name: string = JSON.parse(string);
      const seen = names.at(-1);
      if (seen?.has(name)) return name;
      seen?.add(name);
    } else if (byte === OPEN_BRACE) {
      names.push(new Set());
    } else if (byte === OPEN_BRACKET) {
      names.push(undefined);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      names.pop();
    }
  }
  return undefined;
}

function endOfString(body: Buffer, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
