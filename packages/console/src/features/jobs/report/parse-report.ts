/** A block of a report. The service writes it in a small part of Markdown, in which texts from devices are code spans. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isNumbered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** A part of a line. */
export interface Span {
  readonly kind: 'text' | 'strong' | 'code';
  readonly text: string;
}

const ITEM = /^(?:- |\d+\. )/;

/** Parses a report. A block that it does not know is a paragraph. Nothing is ever interpreted as HTML. */
export function parseReport(report: string): Block[] {
  return report
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .flatMap(parseBlock);
}

function parseBlock(block: string): Block[] {
  const lines = block.split('\n');
  const [first = '', ...rest] = lines;
  const heading = /^(#{1,4}) (.*)$/.exec(first);
  if (heading) {
    const [, marks = '', text = ''] = heading;
    return [
      { kind: 'heading', level: marks.length, text },
      ...(rest.length === 0 ? [] : parseBlock(rest.join('\n'))),
    ];
  }
  if (lines.every((line) => line.startsWith('|')) && lines.length >= 2) {
    const [head = [], , ...rows] = lines.map(cellsOf);
    return [{ kind: 'table', head, rows }];
  }
  if (lines.every((line) => ITEM.test(line))) {
    const items = lines.map((line) => line.replace(ITEM, ''));
    return [{ kind: 'list', isNumbered: /^\d/.test(first), items }];
  }
  return [{ kind: 'paragraph', text: lines.join('\n') }];
}

/** The service replaces a `|` within a cell, so each one ends a cell. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Splits a line into code spans, bold parts and text. */
export function spansOf(text: string): Span[] {
  return text
    .split(/(`[^`]*`|\*\*[^*]+\*\*)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('`') && part.endsWith('`') && part.length > 1)
        return { kind: 'code', text: part.slice(1, -1) };
      if (part.startsWith('**') && part.endsWith('**') && part.length > 4) {
        return { kind: 'strong', text: part.slice(2, -2) };
      }
      return { kind: 'text', text: part };
    });
}
