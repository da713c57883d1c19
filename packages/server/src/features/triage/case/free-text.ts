import { redactText } from '@tps/detection';

/** All invisible characters: controls, direction marks, lone surrogates, line and paragraph ends. */
const INVISIBLE = /[\p{C}\p{Z}\s]+/gu;
/** A gap between two plain words: nothing that redaction recognizes (name, number, address, link) extends across it. */
const PLAIN_GAP = /(?<= |^)[a-z]{2,} (?=[a-z]{2,} )/g;
/** A link that is already redacted. */
const HASHED_LINK = /^url:sha256:[0-9a-f]{64}$/;
const MAX_CUTS = 4;
/**
 * How many characters of optional texts are redacted for one case. A text designed to be slow takes 3 µs for each
 * character: redacting 1000 events with 4096 such characters each took 8.5 s without a limit, and takes 0.03 to 0.11 s
 * with it.
 */
const MAX_OPTIONAL = 20_000;

/**
 * Collects texts that people or devices have written: each on one line, redacted and cut. Of a text that had to be
 * redacted, only the id of its record is kept.
 */
export class FreeTexts {
  readonly #redactedRefs = new Set<string>();
  readonly #taken = new Map<string, { text: string; isRedacted: boolean }>();
  #left = MAX_OPTIONAL;
  #shown = 0;
  #skipped = 0;

  take(ref: string, written: string, maxLength: number): string {
    const line = cutBeforeRedaction(oneLine(written), maxLength);
    const key = `${maxLength} ${line}`;
    const known = this.#taken.get(key) ?? redactLine(line, maxLength);
    this.#taken.set(key, known);
    if (known.isRedacted) this.#redactedRefs.add(ref);
    return known.text;
  }

  /** Returns null without a text, or when the limit on redacted characters is reached. */
  takeOptional(ref: string, written: string | null | undefined, maxLength: number): string | null {
    if (written === null || written === undefined) return null;
    const line = cutBeforeRedaction(oneLine(written), maxLength);
    this.#shown += 1;
    if (HASHED_LINK.test(line) && line.length <= maxLength) return line;
    if (!this.#taken.has(`${maxLength} ${line}`)) {
      if (line.length > this.#left) {
        this.#shown -= 1;
        this.#skipped += 1;
        return null;
      }
      this.#left -= line.length;
    }
    return this.take(ref, line, maxLength);
  }

  /** Returns the number of optional texts that were included. */
  shown(): number {
    return this.#shown;
  }

  /** Returns the number of optional texts that were left out. */
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
 * Cuts a line to about twice the length that will be shown, before it is redacted. The cut is only between plain words,
 * so that no partial name or number remains that redaction would not recognize. Without such a gap, the line stays.
 */
export function cutBeforeRedaction(line: string, maxLength: number): string {
  const max = 2 * maxLength;
  if (line.length <= max) return line;
  let end = 0;
  for (const gap of line.slice(0, max).matchAll(PLAIN_GAP)) end = gap.index + gap[0].length;
  return end > maxLength ? line.slice(0, end).trimEnd() : line;
}

function redactLine(line: string, maxLength: number): { text: string; isRedacted: boolean } {
  const redacted = redactText(line);
  return { text: cutRedacted(redacted, maxLength), isRedacted: redacted !== line };
}

/** A cut text can look like other personal data, so the result is redacted again. */
function cutRedacted(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let kept = text;
  for (let pass = 0; pass < MAX_CUTS; pass += 1) {
    if (kept.length > maxLength) kept = `${wholeCharacters(kept.slice(0, maxLength - 1))}…`;
    const redacted = redactText(kept);
    if (redacted === kept) return kept;
    kept = redacted;
  }
  return '[redacted]';
}

function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
