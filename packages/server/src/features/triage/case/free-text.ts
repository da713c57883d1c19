import { redactText } from '@tps/detection';

/** Everything that is no visible character: controls, direction marks, lone surrogates, line and paragraph ends. */
const INVISIBLE = /[\p{C}\p{Z}\s]+/gu;
/** A gap between two plain words: no name, number, address or link that redaction knows goes across it. */
const PLAIN_GAP = /(?<= |^)[a-z]{2,} (?=[a-z]{2,} )/g;
/** What redaction itself leaves of a link: nothing is left to redact. */
const HASHED_LINK = /^url:sha256:[0-9a-f]{64}$/;
const MAX_CUTS = 4;
/**
 * How many characters of optional texts are redacted for one case. A text made to be slow takes 3 µs for each: of 1000
 * events with 4096 such characters all were redacted in 8.5 s without a bound; with this it takes 0.03 to 0.11 s.
 */
const MAX_OPTIONAL = 20_000;

/**
 * Collects texts that people or devices have written: each on one line, redacted and cut. What had to be redacted is
 * remembered by the id it stood in; the text itself goes no further.
 */
export class FreeTexts {
  readonly #redactedRefs = new Set<string>();
  readonly #taken = new Map<string, { text: string; isRedacted: boolean }>();
  #left = MAX_OPTIONAL;
  #shown = 0;
  #skipped = 0;

  take(ref: string, written: string, longest: number): string {
    const line = cutBefore(oneLine(written), longest);
    const key = `${longest} ${line}`;
    const known = this.#taken.get(key) ?? redactLine(line, longest);
    this.#taken.set(key, known);
    if (known.isRedacted) this.#redactedRefs.add(ref);
    return known.text;
  }

  /** Gives null without a text, and once the case has had as many as can be redacted in good time. */
  takeOptional(ref: string, written: string | null | undefined, longest: number): string | null {
    if (written === null || written === undefined) return null;
    const line = cutBefore(oneLine(written), longest);
    this.#shown += 1;
    if (HASHED_LINK.test(line) && line.length <= longest) return line;
    if (!this.#taken.has(`${longest} ${line}`)) {
      if (line.length > this.#left) {
        this.#shown -= 1;
        this.#skipped += 1;
        return null;
      }
      this.#left -= line.length;
    }
    return this.take(ref, line, longest);
  }

  /** Counts the optional texts that were taken. */
  shown(): number {
    return this.#shown;
  }

  /** Counts those that were left out. */
  skipped(): number {
    return this.#skipped;
  }

  redactedRefs(): string[] {
    return [...this.#redactedRefs].sort();
  }
}

export function oneLine(written: string): string {
  return written.replace(INVISIBLE, ' ').trim();
}

/**
 * Cuts a line to about twice what will be shown of it, before it is redacted. It is cut between plain words only, so
 * that no half of a name or number is left over that redaction would not know; where there is no such place it stays.
 */
export function cutBefore(line: string, longest: number): string {
  const most = 2 * longest;
  if (line.length <= most) return line;
  let end = 0;
  for (const gap of line.slice(0, most).matchAll(PLAIN_GAP)) end = gap.index + gap[0].length;
  return end > longest ? line.slice(0, end).trimEnd() : line;
}

function redactLine(line: string, longest: number): { text: string; isRedacted: boolean } {
  const redacted = redactText(line);
  return { text: cutRedacted(redacted, longest), isRedacted: redacted !== line };
}

/** Cutting can leave a half that looks like something else: what comes out is redacted once more. */
function cutRedacted(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let kept = text;
  for (let pass = 0; pass < MAX_CUTS; pass += 1) {
    if (kept.length > longest) kept = `${wholeCharacters(kept.slice(0, longest - 1))}…`;
    const redacted = redactText(kept);
    if (redacted === kept) return kept;
    kept = redacted;
  }
  return '[redacted]';
}

function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
