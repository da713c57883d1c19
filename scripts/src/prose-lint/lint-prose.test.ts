import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseBannedPhrases } from './banned-phrases.ts';
import { isData } from './data-paths.ts';
import { lintProse } from './lint-prose.ts';

const page = readFileSync(new URL('../../../contributing/writing.md', import.meta.url), 'utf8');
const phrases = parseBannedPhrases(page);

function lint(path: string, text: string): string[] {
  return lintProse(path, text, phrases).map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('the table of contributing/writing.md', () => {
  test('each phrase is found in a comment, a string and a page', () => {
    const usual = phrases.filter(({ pattern }) => !pattern.source.includes('\u0002'));
    expect(usual.length).toBeGreaterThan(30);
    for (const { phrase } of usual) {
      const text = phrase.replace('…', 'row');
      const message = expect.stringContaining(`"${phrase}": write `);
      expect(lint('a.ts', `// It ${text} x.`), phrase).toContainEqual(message);
      expect(lint('a.ts', `throw new Error('It ${text} x');`), phrase).toContainEqual(message);
      expect(lint('a.md', `It ${text} x.`), phrase).toContainEqual(message);
    }
  });

  test('the page passes its own lint', () => {
    expect(lint('contributing/writing.md', page)).toEqual([]);
  });

  test.each([
    ['a row without a phrase in code marks', '| nobody | no one | |'],
    ['an unknown condition', '| `nobody` | no one | on Mondays |'],
  ])('%s is refused', (_case, row) => {
    expect(() => parseBannedPhrases(`## Words to avoid\n\n| a | b | c |\n| - | - | - |\n${row}\n`)).toThrow(
      'row of contributing/writing.md',
    );
  });

  test('a page without the table is refused', () => {
    expect(() => parseBannedPhrases('# How we write\n')).toThrow('has no table');
  });
});

describe('source files', () => {
  test('a phrase is found at its line and column', () => {
    expect(lint('a.ts', "const a = 1;\nconst b = 'the loop goes on';")).toEqual([
      '2:21 "goes on": write "continues", "resumes"',
    ]);
  });

  test.each([
    ['line comments', '// the loop goes\n// on'],
    ['a block comment', '/*\n * the loop goes\n * on\n */'],
    ['a template', 'const a = `the loop goes\non`;'],
  ])('a phrase is found across the lines of %s', (_case, source) => {
    expect(lint('a.ts', source)).toHaveLength(1);
  });

  test('templates are checked between their expressions', () => {
    expect(lint('a.ts', `const a = \`x \${b} tells \${c}\`;`)).toHaveLength(1);
    expect(lint('a.ts', "const a = 'x\\ntells';")).toHaveLength(1);
  });

  test.each([
    ['an identifier', 'const anew = tells(nobody);'],
    ['the name of a module', "import { a } from './nobody.ts';\nexport * from './tells.ts';"],
    ['inline code in a comment', '// `nobody` is an account'],
    ['an address', "const a = 'see https://nobody.example/tells';"],
    ['a part of a word', '// gravel, amended, tellsomething'],
    ['a phrase broken by code', "const a = 'goes'; // on"],
  ])('%s is ignored', (_case, source) => {
    expect(lint('a.ts', source)).toEqual([]);
  });

  test('"Gives" is refused where it opens a doc comment, and only there', () => {
    expect(lint('a.ts', '/** Gives the id. */')).toHaveLength(1);
    expect(lint('a.ts', '/**\n * Gives the id.\n */')).toHaveLength(1);
    expect(lint('a.ts', '// Gives the id.')).toEqual([]);
    expect(lint('a.ts', '/** A rule. Gives the id. */')).toEqual([]);
  });

  test('a long test title is refused, also with a table', () => {
    const message = expect.stringContaining('the test title has 91 characters: shorten it to 90');
    const title = 'x'.repeat(91);
    for (const start of ['test(', 'it(', 'describe(', 'test.each([1])(', 'test.skipIf(a).each(b)(']) {
      expect(lint('a.test.ts', `${start}'${title}', () => {});`)).toEqual([message]);
    }
    expect(lint('a.test.ts', `test('${'x'.repeat(90)}', () => {});`)).toEqual([]);
    expect(lint('a.ts', `log('${title}');`)).toEqual([]);
  });

  test('a file that cannot be parsed is an error', () => {
    expect(() => lint('a.ts', 'const = ;')).toThrow('a.ts: ');
  });
});

describe('Markdown', () => {
  test('"Who" is refused where it opens a sentence, and only there', () => {
    for (const text of [
      'Who asks?',
      'Done. Who asks',
      '- Who asks',
      'a\n\nWho asks',
      '| Who asks |',
      '## Who',
    ]) {
      expect(lint('a.md', text), text).toHaveLength(1);
    }
    for (const text of ['the person Who', 'WHO', 'a\nWho asks', 'Whose', '| who asks |']) {
      expect(lint('a.md', text), text).toEqual([]);
    }
  });

  test('"is no" is refused, but not "there is no" and "is no longer"', () => {
    expect(lint('a.md', 'This is no limit.')).toHaveLength(1);
    expect(lint('a.md', 'There is no limit. It is no\nlonger used.')).toEqual([]);
    expect(lint('a.md', 'There is no rule here that holds.')).toHaveLength(1);
  });

  test.each([
    ['a code block', '```\nnobody tells\n```\n'],
    ['a code block in another', '````\n```\nnobody\n```\ntells\n````\n'],
    ['inline code', 'The account `nobody` and ``a ` tells``.'],
    ['the target of a link', '[a](nobody.md#tells)'],
  ])('%s is ignored', (_case, text) => {
    expect(lint('a.md', text)).toEqual([]);
  });

  test('prose after a code block is checked', () => {
    expect(lint('a.md', '```sh\nls\n```\n\nnobody\n')).toHaveLength(1);
  });

  test('a line of more than 100 columns is refused', () => {
    const long = `${'x'.repeat(98)} yz`;
    expect(lint('a.md', `a\n${long}`)).toEqual(['2:101 the line has 101 columns: wrap it at 100']);
    expect(lint('a.md', long.slice(1))).toEqual([]);
  });

  test.each([
    ['a table', `| ${'x'.repeat(120)} |`],
    ['a code block', `\`\`\`\n${'x'.repeat(120)}\n\`\`\``],
    ['the target of a link', `[a](${'x'.repeat(120)})`],
    ['the definition of a link', `[a]: ${'x'.repeat(120)}`],
  ])('%s may be wider', (_case, text) => {
    expect(lint('a.md', text)).toEqual([]);
  });
});

test('sample texts and word lists are data', () => {
  expect(isData('tools/training/corpus/scam/parcel.en.txt')).toBe(true);
  expect(isData('packages/detection/src/index.ts')).toBe(false);
});
