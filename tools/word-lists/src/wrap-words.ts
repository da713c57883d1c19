const MAX_LINE_LENGTH = 108;

/** Writes words as the lines of a template literal. */
export function wrapWords(words: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > MAX_LINE_LENGTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => `  ${each}`).join('\n');
}
