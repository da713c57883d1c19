import { CODE, INLINE_CODE } from './banned-phrases.ts';

export const MAX_LINE_WIDTH = 100;

const FENCE = /^\s*(?<mark>`{3,}|~{3,})/;
const LINK_TARGET = /\]\([^)\s]*(?:\s"[^"]*")?\)/g;
const INLINE_CODE_OR_URL = /(?<marks>`+)(?:(?!\k<marks>)[^`]|`(?!\k<marks>))+?\k<marks>|https?:\/\/[^\s)>]+/g;

/** The prose of a page at its offsets: code and link targets are masked. */
export type MarkdownProse = { masked: string; longLines: { offset: number; width: number }[] };

export function readMarkdownProse(page: string): MarkdownProse {
  const longLines: MarkdownProse['longLines'] = [];
  let fence = '';
  let offset = 0;
  const lines = page.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.groups?.mark ?? '';
    const isCode = fence !== '' || mark !== '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    const width = isCode ? 0 : widthOf(line);
    if (width > MAX_LINE_WIDTH) longLines.push({ offset: offset + MAX_LINE_WIDTH, width });
    offset += line.length + 1;
    return isCode ? CODE.repeat(line.length) : line;
  });
  const masked = lines
    .join('\n')
    .replaceAll(INLINE_CODE_OR_URL, (code) => code.replaceAll(/\S/g, INLINE_CODE))
    .replaceAll(LINK_TARGET, (target) => `]${INLINE_CODE.repeat(target.length - 1)}`);
  return { masked, longLines };
}

/** Tables, link targets and definitions of links cannot be wrapped: they do not count. */
function widthOf(line: string): number {
  if (/^\s*\|/.test(line) || /^\s*\[[^\]]+\]: /.test(line)) return 0;
  return line.replaceAll(LINK_TARGET, ']').replaceAll(/https?:\/\/\S+/g, '').length;
}
