import { findBannedPhrases, type PhrasePattern } from './banned-phrases.ts';
import { MAX_LINE_WIDTH, readMarkdownProse } from './markdown-prose.ts';
import { readSourceProse } from './source-prose.ts';

const MAX_TITLE_LENGTH = 90;

export type Problem = { line: number; column: number; message: string };

/** Checks one file by its extension: `.md` as Markdown, anything else as TypeScript or JavaScript. */
export function lintProse(path: string, text: string, phrases: readonly PhrasePattern[]): Problem[] {
  const found = path.endsWith('.md') ? lintMarkdown(text) : lintSource(path, text);
  const banned = findBannedPhrases(found.masked, phrases).map(({ offset, phrase, instead }) => ({
    offset,
    message: `"${phrase}": write ${instead}`,
  }));
  return [...banned, ...found.problems]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, message }) => ({ ...positionOf(text, offset), message }));
}

type Found = { masked: string; problems: { offset: number; message: string }[] };

function lintMarkdown(text: string): Found {
  const { masked, longLines } = readMarkdownProse(text);
  const problems = longLines.map(({ offset, width }) => ({
    offset,
    message: `the line has ${width} columns: wrap it at ${MAX_LINE_WIDTH}`,
  }));
  return { masked, problems };
}

function lintSource(path: string, text: string): Found {
  const { masked, titles } = readSourceProse(path, text);
  const problems = titles
    .filter(({ length }) => length > MAX_TITLE_LENGTH)
    .map(({ offset, length }) => ({
      offset,
      message: `the test title has ${length} characters: shorten it to ${MAX_TITLE_LENGTH}`,
    }));
  return { masked, problems };
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
