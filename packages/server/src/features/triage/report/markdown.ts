import { oneLine } from '../case/free-text.ts';

/** Ids in texts of the service. */
const ID = /\b(?:inc|alr|thr|evt|dev|pol|scn|gui|job|whk)_[A-Za-z0-9_-]{1,64}/g;
const FORGED_ID = /\b(inc|alr|thr|evt|dev|pol|scn|gui|job|trc|stp|art|whk|dlq|tok|tnt|aud)_(?=[A-Za-z0-9])/gi;

/**
 * Quotes text from a device or a person in a code span, so that it is not read as Markdown or HTML. Characters that could
 * end the span or a table cell are replaced. Ids are written with a hyphen, so that no reader follows a forged one.
 */
export function quoted(written: string): string {
  const text = oneLine(written).replaceAll('`', "'").replaceAll('|', '¦').replace(FORGED_ID, '$1-');
  return text === '' ? '(empty)' : `\`${text}\``;
}

export function id(written: string): string {
  return `\`${written}\``;
}

/** Puts the ids in a sentence of the service into code spans. */
export function withIds(sentence: string): string {
  return sentence.replace(ID, (found) => id(found));
}

export function ids(list: readonly string[], max: number): string {
  const shown = list.slice(0, max).map(id).join(', ');
  return list.length > max ? `${shown} and ${list.length - max} more` : shown;
}

/** Formats a table. The cells must come from the functions above, which escape them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function section(title: string, ...blocks: readonly (string | undefined)[]): string {
  return [`## ${title}`, ...blocks.filter((block) => block !== undefined && block !== '')].join('\n\n');
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Formats a time with a precision of one second. */
export function time(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Cuts a long report at the end of a line, so that no Markdown construct is left open, and adds a note. */
export function cutAtLine(report: string, maxBytes: number): string {
  if (Buffer.byteLength(report) <= maxBytes) return report;
  const note = '\n\nThe report was cut here because it reached the maximum size.\n';
  const kept = Buffer.from(report)
    .subarray(0, maxBytes - Buffer.byteLength(note))
    .toString();
  return kept.slice(0, kept.lastIndexOf('\n')) + note;
}
