/**
 * Control characters (C0, DEL, C1) move the cursor, set the title or type input on a terminal; bidirectional controls
 * change the order in which text is shown. Both can be in text written by others.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are replaced
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** The characters that JSON.stringify keeps. In JSON they occur in strings only, where an escape means the same. */
const HARMFUL_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Makes text written by others safe to print on one line of a terminal. */
export function sanitizeLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(HARMFUL, toEscape);
}

/** Makes text of several lines written by others safe to print on a terminal. */
export function sanitizeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HARMFUL, (found) => (found === '\n' ? found : toEscape(found)));
}

/** Returns JSON that is safe to print on a terminal and has the same value. */
export function toSafeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HARMFUL_IN_JSON, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
