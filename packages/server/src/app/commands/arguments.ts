import { InvalidArgumentError } from 'commander';

/** A name is shown in lists and lines of text: no control character belongs in it. */
const NAME = /^[^\p{Cc}]{1,200}$/u;

/** Reads the name of something. */
export function toName(text: string): string {
  if (!NAME.test(text)) throw new InvalidArgumentError('Give 1 to 200 characters on one line.');
  return text;
}

/** Makes a reader of a whole number within bounds; `alternative` is a word that stands for none. */
export function toWholeNumber(
  [least, most]: readonly [number, number],
  alternative: string,
): (text: string) => number | null {
  return (text) => {
    if (text === alternative) return null;
    const number = Number(text);
    if (!/^\d{1,7}$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}, or "${alternative}".`);
    return number;
  };
}
