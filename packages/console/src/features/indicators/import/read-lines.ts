/** A value of a pasted list or file, with the line that it stands on. */
export interface Line {
  readonly number: number;
  readonly value: string;
}

/** Maximum number of values in one import of the console. Larger lists are for `tps indicators import`. */
export const MAX_LINES = 20_000;

/**
 * Reads one value per line: the first field of a table. Leaves out empty lines, comments, and a heading, and keeps the first of equal
 * values.
 */
export function readLines(text: string): Line[] {
  const lines: Line[] = [];
  const seen = new Set<string>();
  let separator: string | undefined;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const value = firstField(line, separator);
    if (value === '' || value.startsWith('#') || seen.has(value)) continue;
    if (lines.length === 0 && HEADINGS.has(value.toLowerCase())) {
      separator = /[,;\t]/.exec(line)?.[0];
      continue;
    }
    seen.add(value);
    lines.push({ number: index + 1, value });
  }
  return lines;
}

const HEADINGS = new Set([
  'value',
  'indicator',
  'ioc',
  'domain',
  'url',
  'hash',
  'sha256',
  'host',
  'ip',
  'package',
]);

/** Links may contain commas and semicolons, and no spaces. Where a heading shows how fields are separated, that counts. */
function firstField(line: string, stated: string | undefined): string {
  const trimmed = line.trim();
  const quoted = /^"((?:[^"]|"")*)"/.exec(trimmed)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"').trim();
  const separator = stated ?? (trimmed.includes('/') ? /\s/ : /[\s,;]/);
  return trimmed.split(separator)[0]?.trim() ?? '';
}
