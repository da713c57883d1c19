import { Parser } from 'htmlparser2';
import type { Contents } from '../file-contents.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { decodeText } from '../file-type.ts';
import {
  type Attributes,
  addressIn,
  isOtherSite,
  isPasswordField,
  pictureIn,
  refreshTarget,
  shownBy,
} from './page-elements.ts';
import {
  addDownload,
  addPasswordField,
  addScript,
  addShown,
  addSign,
  addTarget,
  addText,
  createPageState,
  MAX_EMBEDDED,
  type PageState,
} from './page-state.ts';

/** Between checks of the time. */
const STEP_CHARACTERS = 32_768;
/** The parser scans the open elements at each closing tag; no benign page nests a tenth of this. */
const MAX_DEPTH = 1000;
/** Types that a browser runs as a script (HTML, section 4.12.1); the text of others is data. */
const RUNS = /^\s*$|script|module/i;
/** Without scripts, as in previews of mails, `noscript` is displayed. */
const HIDING = new Set(['script', 'style', 'template', 'title']);

/** A clause for a page that was read except for its scripts. */
export const SCRIPT_UNREAD = 'the scripts of the page are not analyzed';

const MAX_PICTURES = 200;
/** Elements that show what is not drawn with lines (SVG 2, sections 12.3 and 12.4). */
const EMBEDS = /<(?:[\w.-]{1,32}:)?(?:image|feImage|foreignObject)\b/i;

export interface Page extends Contents {
  readonly text: string;
  /** What the script does is not analyzed. */
  readonly runsScript: boolean;
}

/**
 * Reads a web page, or the body of a mail: what it displays, where it leads, and its scripts and forms.
 * Nothing is fetched or run.
 */
export function readHtml(source: Uint8Array | string, budget: Budget): Page {
  // In a page this opens a comment up to the next tag, in a drawing its text is displayed: removing it covers
  // both.
  const html = (typeof source === 'string' ? source : decodeText(source)).replaceAll('<![CDATA[', '');
  const state = createPageState(budget);
  const wasReadToItsEnd = parse(html, state);
  const { scripts, embedded } = state;
  if (scripts.handsOver && scripts.hidesFile) addSign(state, 'html_smuggling');
  const text = state.text.join('').replace(/\s+/g, ' ').trim();
  return {
    text,
    texts: [text],
    links: [...state.links, ...scripts.links],
    pictures: [...state.pictures].slice(0, MAX_PICTURES),
    parts: embedded.slice(0, MAX_EMBEDDED),
    runsScript: state.runsScript,
    findings: [...state.findings.values()],
    reasons: [...state.reasons],
    unread: () =>
      wasReadToItsEnd &&
      !state.isCut &&
      embedded.length <= MAX_EMBEDDED &&
      state.pictures.size <= MAX_PICTURES
        ? undefined
        : 'the page is too long or too deeply nested to be read to the end',
  };
}

/** Reads a page that was sent as a file, whose scripts run when it is opened. */
export function readPage(bytes: Uint8Array, budget: Budget): Contents {
  const page = readHtml(bytes, budget);
  const ofScripts = page.runsScript ? SCRIPT_UNREAD : undefined;
  return { ...page, unread: () => page.unread?.() ?? ofScripts };
}

/** Reads a drawing (SVG). One that only draws, such as an icon, holds nothing that could deceive. */
export function readDrawing(bytes: Uint8Array, budget: Budget): Contents {
  const page = readPage(bytes, budget);
  const { texts = [], links = [], pictures = [], parts = [], findings = [] } = page;
  const isBare =
    texts.every((text) => text === '') &&
    [links, pictures, [...parts], findings].every(({ length }) => length === 0) &&
    !EMBEDS.test(decodeText(bytes));
  return isBare && page.unread?.() === undefined ? { ...page, score: 0 } : page;
}

/** Returns whether the page was read to its end. */
function parse(html: string, state: PageState): boolean {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => openElement(name, attributes, state),
      ontext: (text) => addText(text, state),
      onclosetag: (name) => closeElement(name, state),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  for (let at = 0; at < html.length; at += STEP_CHARACTERS) {
    if (isTimeUp(state.budget) || state.depth > MAX_DEPTH) return false;
    parser.write(html.slice(at, at + STEP_CHARACTERS));
  }
  parser.end();
  return true;
}

function openElement(name: string, attributes: Attributes, state: PageState): void {
  state.depth++;
  // A template for a shadow root is displayed at once.
  if (HIDING.has(name) && attributes.shadowrootmode === undefined) state.hidden++;
  if (name === 'script') state.isScript = RUNS.test(attributes.type ?? attributes.language ?? '');
  if (name === 'form') state.form = { action: attributes.action, asksForPassword: false };
  readAttributes(name, attributes, state);
  if (name === 'input' && isPasswordField(attributes)) addPasswordField(state);
  if (name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'refresh') {
    const target = refreshTarget(attributes.content ?? '');
    if (target !== '') {
      addTarget(target, state);
      state.reasons.add('the page redirects to another one at once');
    }
  }
  if (name === 'input' && attributes.type !== 'hidden') {
    addText(` ${attributes.value ?? ''} ${attributes.placeholder ?? ''} `, state);
  }
  if (['p', 'br', 'div', 'tr', 'td', 'li', 'h1', 'h2', 'h3'].includes(name)) addText(' ', state);
}

function readAttributes(name: string, attributes: Attributes, state: PageState): void {
  const address = addressIn(name, attributes);
  if (address !== undefined) addTarget(address, state);
  const picture = pictureIn(name, attributes);
  if (picture !== undefined && state.pictures.size <= MAX_PICTURES) {
    state.pictures.add(picture.slice(0, 2048));
  }
  if (name === 'script' && address !== undefined && state.isScript) state.runsScript = true;
  if (attributes.formaction !== undefined && state.form?.asksForPassword && isOtherSite(address)) {
    addSign(state, 'password_form');
  }
  if (name === 'a' && address !== undefined) {
    if ('download' in attributes) addDownload(address, state);
    state.anchor = { element: name, href: address, shown: '' };
  }
  if (name === 'button')
    state.anchor ??= { element: name, href: address ?? state.form?.action ?? '', shown: '' };
  const target = state.anchor?.href ?? address ?? state.form?.action;
  for (const shown of shownBy(name, attributes)) addShown(shown, target, state);
  if (attributes.srcdoc !== undefined && state.embedded.length <= MAX_EMBEDDED) {
    state.embedded.push({ bytes: Buffer.from(attributes.srcdoc), name: 'a.html' });
  }
  for (const [key, value] of Object.entries(attributes)) if (/^on[a-z]/.test(key)) addScript(value, state);
}

function closeElement(name: string, state: PageState): void {
  state.depth--;
  if (HIDING.has(name)) {
    state.hidden = Math.max(0, state.hidden - 1);
    if (name === 'script') {
      state.scripts.rest = '';
      state.isScript = false;
    }
  }
  if (name === 'form') state.form = undefined;
  if (name === state.anchor?.element) {
    const { href, shown } = state.anchor;
    state.anchor = undefined;
    addShown(shown, href, state);
  }
}
