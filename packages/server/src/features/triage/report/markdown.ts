import { oneLine } from '../case/free-text.ts';

/** Ids as the service writes them. */
const ID = /\b(?:inc|alr|thr|evt|dev|pol|scn|gui|job|whk)_[A-Za-z0-9_-]{1,64}/g;
const FORGED_ID = /\b(inc|alr|thr|evt|dev|pol|scn|gui|job|trc|stp|art|whk|dlq|tok|tnt|aud)_(?=[A-Za-z0-9])/gi;

/**
 * Quotes what a device or a person has written, in a code span: nothing inside is Markdown or HTML, and what could end
 * the span or a table cell is replaced. Ids in it are defused, so that nobody follows one that was made up.
 */
export function quoted(written: string): string {
  const text = oneLine(written).replaceAll('`', "'").replaceAll('|', '¦').replace(FORGED_ID, '$1-');
  return text === '' ? '(empty)' : `\`${text}\``;
}

export function id(written: string): string {
  return `\`${written}\``;
}

/** Marks the ids in a sentence of the service's own, so that they are read letter by letter. */
export function withIds(sentence: string): string {
  return sentence.replace(ID, (found) => id(found));
}

export function ids(list: readonly string[], most: number): string {
  const shown = list.slice(0, most).map(id).join(', ');
  return list.length > most ? `${shown} and ${list.length - most} more` : shown;
}

/** A table; the cells hold what the functions above have made safe. */
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

/** To the second, which is as much as a reader can use. */
export function time(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Cuts what is too long at the end of a line, so that no construct is left open, and says so. */
export function cutAtLine(report: string, mostBytes: number): string {
  if (Buffer.byteLength(report) <= mostBytes) return report;
  const note = '\n\nThe report was cut here: it would be too large.\n';
  const kept = Buffer.from(report)
    .subarray(0, mostBytes - Buffer.byteLength(note))
    .toString();
  return kept.slice(0, kept.lastIndexOf('\n')) + note;
}
