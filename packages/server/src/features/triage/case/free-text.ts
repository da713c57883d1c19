import { redactText } from '@tps/detection';

/** Everything that is no visible character: controls, direction marks, lone surrogates, line and paragraph ends. */
const INVISIBLE = /[\p{C}\p{Z}\s]+/gu;
const MOST_CUTS = 4;

/**
 * Collects texts that people or devices have written: each on one line, redacted and cut. What had to be redacted is
 * remembered by the id it stood in; the text itself goes no further.
 */
export class FreeTexts {
  readonly #redactedRefs = new Set<string>();

  take(ref: string, written: string, longest: number): string {
    const line = oneLine(written);
    const redacted = redactText(line);
    if (redacted !== line) this.#redactedRefs.add(ref);
    return cutRedacted(redacted, longest);
  }

  takeOptional(ref: string, written: string | null | undefined, longest: number): string | null {
    return written === null || written === undefined ? null : this.take(ref, written, longest);
  }

  redactedRefs(): string[] {
    return [...this.#redactedRefs].sort();
  }
}

export function oneLine(written: string): string {
  return written.replace(INVISIBLE, ' ').trim();
}

/** Cutting can leave a half that looks like something else: what comes out is redacted once more. */
function cutRedacted(text: string, longest: number): string {
  let kept = text;
  for (let pass = 0; pass < MOST_CUTS; pass += 1) {
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
