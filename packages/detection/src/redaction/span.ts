/** A range of a text, half open, and its replacement. */
export type Span = {
  readonly start: number;
  readonly end: number;
  /** Receives the range exactly as written. */
  readonly write: (written: string) => string;
};

/** Finds what one rule must replace between `from` and `to`, in order, and appends it to `spans`. */
export type Finder = (text: string, from: number, to: number, spans: Span[]) => void;

/** Keeps a claimed range as written, so that no rule reads into or across it. */
export function asWritten(written: string): string {
  return written;
}

/**
 * Runs a rule over the ranges that no earlier rule has claimed, one by one. A hashed URL is claimed too, so a
 * rule sees the same context whether its neighbour was replaced in this pass or an earlier one.
 */
export function claimGaps(text: string, claimed: readonly Span[], find: Finder): Span[] {
  const all: Span[] = [];
  let position = 0;
  for (const span of claimed) {
    if (span.start > position) find(text, position, span.start, all);
    all.push(span);
    position = span.end;
  }
  if (position < text.length) find(text, position, text.length, all);
  return all;
}
