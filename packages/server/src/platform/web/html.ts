/** HTML that is safe to send: literal markup, and values that were escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Builds HTML from a template. Values are escaped unless they are `Html` themselves; lists are joined; `null`, `undefined`
 * and `false` are left out. Put attribute values in quotes. A template cannot send text unescaped. The template libraries
 * that were compared can: they mark raw values by a character, which is easily overlooked.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += toText(value) + (parts[index + 1] ?? '');
  return new Html(text);
}

function toText(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(toText).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
