import { Parser } from 'htmlparser2';
import type { Contents } from '../file-contents.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { decodeText } from '../file-type.ts';
import {
  type Attributes,
  addressIn,
  isElsewhere,
  isPasswordField,
  pictureIn,
  refreshTarget,
  showsAnotherDomain,
} from './page-elements.ts';
import {
  addDownload,
  addPasswordField,
  link,
  MAX_WITHIN,
  note,
  type PageReading,
  run,
  show,
  startReading,
} from './page-reading.ts';

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
  const reading = startReading(budget);
  const wasReadToItsEnd = parse(html, reading);
  const { scripts, within } = reading;
  if (scripts.handsOver && scripts.hidesFile) note(reading, 'html_smuggling');
  const text = reading.text.join('').replace(/\s+/g, ' ').trim();
  return {
    text,
    texts: [text],
    links: [...reading.links, ...scripts.links],
    pictures: [...reading.pictures].slice(0, MAX_PICTURES),
    parts: within.slice(0, MAX_WITHIN),
    runsScript: reading.runsScript,
    findings: [...reading.findings.values()],
    reasons: [...reading.reasons],
    unread: () =>
      wasReadToItsEnd &&
      !reading.isCut &&
      within.length <= MAX_WITHIN &&
      reading.pictures.size <= MAX_PICTURES
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

/** Returns whether the page was read to its end. */
function parse(html: string, reading: PageReading): boolean {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(name, attributes, reading),
      ontext: (text) => show(text, reading),
      onclosetag: (name) => close(name, reading),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  for (let at = 0; at < html.length; at += STEP_CHARACTERS) {
    if (isTimeUp(reading.budget) || reading.depth > MAX_DEPTH) return false;
    parser.write(html.slice(at, at + STEP_CHARACTERS));
  }
  parser.end();
  return true;
}

function open(name: string, attributes: Attributes, reading: PageReading): void {
  reading.depth++;
  // A template for a shadow root is displayed at once.
  if (HIDING.has(name) && attributes.shadowrootmode === undefined) reading.hidden++;
  if (name === 'script') reading.isScript = RUNS.test(attributes.type ?? attributes.language ?? '');
  if (name === 'form') reading.form = { action: attributes.action, asksForPassword: false };
  lookAtAttributes(name, attributes, reading);
  if (name === 'input' && isPasswordField(attributes)) addPasswordField(reading);
  if (name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'refresh') {
    const target = refreshTarget(attributes.content ?? '');
    if (target !== '') {
      link(target, reading);
      reading.reasons.add('the page redirects to another one at once');
    }
  }
  if (name === 'input' && attributes.type !== 'hidden') {
    show(` ${attributes.value ?? ''} ${attributes.placeholder ?? ''} `, reading);
  }
  if (['p', 'br', 'div', 'tr', 'td', 'li', 'h1', 'h2', 'h3'].includes(name)) show(' ', reading);
}

function lookAtAttributes(name: string, attributes: Attributes, reading: PageReading): void {
  const address = addressIn(name, attributes);
  if (address !== undefined) link(address, reading);
  const picture = pictureIn(name, attributes);
  if (picture !== undefined && reading.pictures.size <= MAX_PICTURES) {
    reading.pictures.add(picture.slice(0, 2048));
  }
  if (name === 'script' && address !== undefined && reading.isScript) reading.runsScript = true;
  if (attributes.formaction !== undefined && reading.form?.asksForPassword && isElsewhere(address)) {
    note(reading, 'password_form');
  }
  if (name === 'a' && address !== undefined) {
    if ('download' in attributes) addDownload(address, reading);
    reading.anchor = { href: address, shown: '' };
  }
  if (attributes.srcdoc !== undefined && reading.within.length <= MAX_WITHIN) {
    reading.within.push({ bytes: Buffer.from(attributes.srcdoc), name: 'a.html' });
  }
  for (const [key, value] of Object.entries(attributes)) if (/^on[a-z]/.test(key)) run(value, reading);
}

function close(name: string, reading: PageReading): void {
  reading.depth--;
  if (HIDING.has(name)) {
    reading.hidden = Math.max(0, reading.hidden - 1);
    if (name === 'script') {
      reading.scripts.rest = '';
      reading.isScript = false;
    }
  }
  if (name === 'form') reading.form = undefined;
  if (name === 'a' && reading.anchor) {
    const { href, shown } = reading.anchor;
    reading.anchor = undefined;
    if (showsAnotherDomain(shown, href)) note(reading, 'other_domain_shown');
  }
}
