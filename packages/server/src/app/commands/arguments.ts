import { InvalidArgumentError } from 'commander';

/** Names appear in lists and lines of text, so control characters are not allowed. */
const NAME = /^[^\p{Cc}]{1,200}$/u;

/** Parses a display name. */
export function toName(text: string): string {
  if (!NAME.test(text)) throw new InvalidArgumentError('Use 1 to 200 characters on one line.');
  return text;
}

/** Creates a parser of a whole number within bounds; `alternative` is a word for "no value". */
export function toWholeNumber(
  [min, max]: readonly [number, number],
  alternative: string,
): (text: string) => number | null {
  return (text) => {
    if (text === alternative) return null;
    const number = Number(text);
    if (!/^\d{1,7}$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}, or "${alternative}".`);
    return number;
  };
}
