import { GUIDANCE_STEP_KINDS, type GuidanceCard, type Locale } from '@tps/contract';
import { marked, type Token, type Tokens } from 'marked';
import { GuidanceCardError } from './guidance-card-error.ts';

type StepKind = GuidanceCard['steps'][number]['kind'];

/** The heading above the steps of each kind, in the order of the kinds. */
const HEADINGS: Readonly<Record<Locale, Readonly<Record<StepKind, string>>>> = {
  en: { do: 'Do', dont: "Don't", verify: 'Verify', contact: 'Contact' },
  de: { do: 'Tun', dont: 'Lassen', verify: 'Prüfen', contact: 'Kontakt' },
};

/**
 * Parses the text below the front matter: one paragraph, then a heading and a list for each kind of step, in order.
 * Rejects anything else, so that no text is silently missing from the card.
 */
export function parseCardBody(
  file: string,
  { body, locale }: { body: string; locale: Locale },
): Pick<GuidanceCard, 'summary' | 'steps'> {
  const blocks = marked.lexer(body).filter(({ type }) => type !== 'space');
  const [first] = blocks;
  if (first?.type !== 'paragraph') throw new GuidanceCardError(file, 'the body must begin with a summary');
  const summary = toPlainText(file, first.tokens ?? [], 'the summary');
  const steps: GuidanceCard['steps'] = [];
  let at = 1;
  for (const kind of GUIDANCE_STEP_KINDS) {
    const heading = HEADINGS[locale][kind];
    if (!isHeading(blocks[at], heading)) {
      throw new GuidanceCardError(file, `expected \`## ${heading}\`, found ${describe(blocks[at])}`);
    }
    const list = blocks[at + 1];
    if (list?.type !== 'list' || list.ordered) {
      throw new GuidanceCardError(file, `\`## ${heading}\` must be followed by a bulleted list of steps`);
    }
    for (const item of (list as Tokens.List).items) {
      const text = parseStep(file, item, heading);
      steps.push({ order: steps.length + 1, kind, text });
    }
    at += 2;
  }
  if (at < blocks.length)
    throw new GuidanceCardError(file, `unexpected ${describe(blocks[at])} after the last step`);
  return { summary, steps };
}

function parseStep(file: string, item: Tokens.ListItem, heading: string): string {
  const where = `a step under \`## ${heading}\``;
  const [content, ...more] = item.tokens.filter(({ type }) => type !== 'space');
  if (!content) throw new GuidanceCardError(file, `${where} is empty`);
  if (more.length > 0 || (content.type !== 'text' && content.type !== 'paragraph')) {
    throw new GuidanceCardError(file, `${where} must be a single paragraph`);
  }
  return toPlainText(file, (content as Tokens.Text).tokens ?? [], where);
}

/** Rejects markup: cards are served as plain text, and clients would show it as is. Bare addresses count as text. */
function toPlainText(file: string, tokens: readonly Token[], where: string): string {
  const texts = tokens.map((token) => {
    if (token.type === 'escape') return (token as Tokens.Escape).text;
    const isPlain = token.type === 'text' || (token.type === 'link' && token.raw === token.text);
    if (!isPlain)
      throw new GuidanceCardError(file, `${where} must not contain markup: ${token.raw.slice(0, 40)}`);
    return token.raw;
  });
  return texts.join('').replaceAll(/\s+/g, ' ').trim();
}

function isHeading(block: Token | undefined, text: string): boolean {
  return block?.type === 'heading' && block.depth === 2 && block.text === text;
}

function describe(block: Token | undefined): string {
  return block ? `"${block.raw.trim().split('\n')[0]?.slice(0, 40)}"` : 'the end of the file';
}
