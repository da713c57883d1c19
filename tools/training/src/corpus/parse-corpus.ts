/*
 * The format of `corpus/*.txt`: one text per line. A line that starts with `# ` is a comment, an empty line
 * is skipped, `\n` is a line break within a text, and `""` is the empty text. The comments at the top name
 * the author and the licence.
 */

/** A file of the corpus that cannot be used. The message names the file and the line. */
export class CorpusError extends Error {
  override readonly name = 'CorpusError';

  constructor(path: string, line: number, problem: string) {
    super(`${path}:${line}: ${problem}`);
  }
}

const MAX_FILE_LENGTH = 256 * 1024;
const MAX_LINE_LENGTH = 8192;
const REQUIRED_HEADERS = ['Author', 'Licence'];
const CHOICE_OR_SLOT = /[[\]{}]|[^[\]{}]+/g;
const MAX_DEPTH = 6;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** Parses a file of templates: `[a|b]` is a choice and `{bank}` a word of a slot that `isSlot` knows. */
export function parseTemplates(source: string, path: string, isSlot: (name: string) => boolean): string[] {
  return parseLines(source, path).map(({ text, number }) => {
    const problem = findProblem(text, isSlot);
    if (problem !== undefined) throw new CorpusError(path, number, problem);
    return text;
  });
}

/** Parses a file of slots: a line `= name` starts a slot, and the lines after it are its words. */
export function parseSlots(source: string, path: string): Map<string, string[]> {
  const slots = new Map<string, string[]>();
  let words: string[] | undefined;
  for (const { text, number } of parseLines(source, path)) {
    const name = /^= (\w+)$/.exec(text)?.[1];
    if (name === undefined) {
      if (words === undefined) throw new CorpusError(path, number, 'a word precedes the first "= name"');
      words.push(text);
    } else {
      if (slots.has(name)) throw new CorpusError(path, number, `slot ${name} is defined twice`);
      words = [];
      slots.set(name, words);
    }
  }
  return slots;
}

/** Parses a file of pairs: `name = site`, one per line. */
export function parsePairs(source: string, path: string): [name: string, site: string][] {
  return parseLines(source, path).map(({ text, number }) => {
    const [, name, site] = /^(.+) = (\S+)$/.exec(text) ?? [];
    if (name === undefined || site === undefined) {
      throw new CorpusError(path, number, 'expected "name = site"');
    }
    return [name, site];
  });
}

function parseLines(source: string, path: string): Line[] {
  if (source.length > MAX_FILE_LENGTH) {
    throw new CorpusError(path, 1, `the file is longer than ${MAX_FILE_LENGTH} characters`);
  }
  const lines = source.split('\n').map((text, at) => ({ text, number: at + 1 }));
  checkHeader(lines, path);
  return lines.flatMap(({ text, number }) => {
    if (text === '' || text.startsWith('# ')) return [];
    if (text.length > MAX_LINE_LENGTH) {
      throw new CorpusError(path, number, `the line is longer than ${MAX_LINE_LENGTH} characters`);
    }
    if (text !== text.trim()) throw new CorpusError(path, number, 'the line starts or ends with a blank');
    return [{ text: text === '""' ? '' : text.replaceAll('\\n', '\n'), number }];
  });
}

function checkHeader(lines: readonly Line[], path: string): void {
  const end = lines.findIndex(({ text }) => !text.startsWith('# '));
  const header = lines.slice(0, Math.max(0, end));
  for (const name of REQUIRED_HEADERS) {
    if (!header.some(({ text }) => text.startsWith(`# ${name}: `))) {
      throw new CorpusError(path, 1, `the header has no "# ${name}: …"`);
    }
  }
}

/** Returns the first problem with the brackets, braces and slots of a template. */
export function findProblem(template: string, isSlot: (name: string) => boolean): string | undefined {
  let depth = 0;
  let inSlot = false;
  for (const [part] of template.matchAll(CHOICE_OR_SLOT)) {
    if (inSlot && part !== '}' && !isSlot(part)) return `no slot is called "${part}"`;
    if (!inSlot && part === '}') return '"}" without "{"';
    if (part === '{' || part === '}') inSlot = part === '{';
    else if (part === '[') depth += 1;
    else if (part === ']') depth -= 1;
    if (depth < 0) return '"]" without "["';
    if (depth > MAX_DEPTH) return `choices are nested deeper than ${MAX_DEPTH}`;
  }
  if (inSlot) return '"{" without "}"';
  return depth > 0 ? '"[" without "]"' : undefined;
}
