/** A stretch of text, half open, and what is written in its place. */
export type Span = {
  readonly start: number;
  readonly end: number;
  /** Receives the stretch exactly as it was written. */
  readonly write: (written: string) => string;
};

/** Finds what one rule must replace between `from` and `to`, in order, and appends it to `spans`. */
export type Finder = (text: string, from: number, to: number, spans: Span[]) => void;

/** Stands for a stretch that is settled: it stays as written and no rule looks into or across it. */
export function asWritten(written: string): string {
  return written;
}

/**
 * Runs a rule over the stretches no earlier rule has claimed, each by itself. A hashed URL is such a claim too, so
 * a rule sees the same surroundings whether the neighbour has just been replaced or was replaced long ago.
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
