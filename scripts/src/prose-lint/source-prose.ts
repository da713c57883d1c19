import { type Expression, parseSync, type Super, Visitor } from 'oxc-parser';
import { CODE, DOC_COMMENT, INLINE_CODE } from './banned-phrases.ts';

type TestTitle = { offset: number; length: number };

/** The prose of a source file: comments and strings at their offsets, everything else masked. */
export type SourceProse = { masked: string; titles: TestTitle[] };

const TEST_FUNCTIONS = new Set(['test', 'it', 'describe']);
const URL_OR_CODE = /https?:\/\/\S+|`[^`\n]*`/g;

/** Throws when the file cannot be parsed. `path` decides between TypeScript and JavaScript. */
export function readSourceProse(path: string, source: string): SourceProse {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const masked = source.replaceAll(/\S/g, CODE).split('');
  const moduleNames = new Set<number>();
  const titles: TestTitle[] = [];
  const uncover = (start: number, text: string) => {
    for (let index = 0; index < text.length; index++) masked[start + index] = text[index] ?? ' ';
  };
  const uncoverString = (start: number, end: number) =>
    uncover(start, maskCode(source.slice(start, end).replaceAll(/\\[nrt]/g, '  ')));

  for (const { start, end } of comments) uncover(start, maskComment(source.slice(start, end)));
  new Visitor({
    ImportDeclaration: (node) => void moduleNames.add(node.source.start),
    ExportNamedDeclaration: (node) => void (node.source && moduleNames.add(node.source.start)),
    ExportAllDeclaration: (node) => void moduleNames.add(node.source.start),
    ImportExpression: (node) => void moduleNames.add(node.source.start),
    Literal: ({ value, start, end }) => {
      if (typeof value !== 'string' || moduleNames.has(start)) return;
      uncoverString(start + 1, end - 1);
    },
    TemplateElement: ({ start, end }) => uncoverString(start, end),
    CallExpression: ({ callee, arguments: [title] }) => {
      if (!title || !isTestFunction(callee)) return;
      if (title.type !== 'TemplateLiteral' && title.type !== 'Literal') return;
      titles.push({ offset: title.start, length: title.end - title.start - 2 });
    },
  }).visit(program);
  return { masked: masked.join(''), titles };
}

/** True for `test`, and for `test.each` and `test.each(…)` as well. */
function isTestFunction(callee: Expression | Super): boolean {
  if (callee.type === 'Identifier') return TEST_FUNCTIONS.has(callee.name);
  if (callee.type === 'MemberExpression') return isTestFunction(callee.object);
  return callee.type === 'CallExpression' && isTestFunction(callee.callee);
}

/** Masks the comment marks and the star that begins a line, so that a phrase may cross lines. */
function maskComment(comment: string): string {
  const opening = comment.startsWith('/**') ? `  ${DOC_COMMENT}` : '  ';
  const text = comment.slice(opening.length).replace(/\*\/$/, '  ');
  return opening + maskCode(text.replaceAll(/^(\s*)\*/gm, '$1 '));
}

function maskCode(text: string): string {
  return text.replaceAll(URL_OR_CODE, (code) => INLINE_CODE.repeat(code.length));
}
