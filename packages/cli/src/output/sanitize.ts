/**
 * Control characters (C0, DEL, C1) move the cursor, set the title or type answers on a terminal; bidirectional
 * controls show text in another order than it has. Both come with what other people wrote.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** What JSON leaves as it is. Within JSON these can stand in strings only, where an escape means the same. */
const HARMFUL_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Makes text that others wrote safe to show on one line of a terminal. */
export function sanitizeLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(HARMFUL, toEscape);
}

/** Makes text of several lines that others wrote safe to show on a terminal. */
export function sanitizeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HARMFUL, (found) => (found === '\n' ? found : toEscape(found)));
}

/** Writes a value as JSON that is safe to show on a terminal and means the same to a program. */
export function toSafeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HARMFUL_IN_JSON, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
