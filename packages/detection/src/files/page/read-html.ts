import { Parser } from 'htmlparser2';
import type { Finding } from '../../judgement/finding.ts';
import type { Contents, Part } from '../contents.ts';
import { fileFinding } from '../file-finding.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { decodeText } from '../file-type.ts';
import { fileInAddress } from './data-address.ts';
import {
  type Attributes,
  addressIn,
  asBrowsersRead,
  isElsewhere,
  isPasswordField,
  pictureIn,
  refreshTarget,
  unescapedAddress,
} from './page-elements.ts';
import { lookAtScript, type PageScripts, startScripts } from './page-scripts.ts';
import { showsAnotherDomain } from './shown-domain.ts';

/** Between looks at the clock. */
const STEP_CHARACTERS = 32_768;
/** The parser looks through the open elements at each closing tag; no honest page nests a tenth of this. */
const DEEPEST = 1000;
const LONGEST_SHOWN = 200;
/** Frames and files in addresses that are opened; each costs a part. */
const MOST_WITHIN = 50;
/** It is said anyway that they are not worked out. */
const MOST_EVENTS = 1000;
/** What a browser takes for a script (HTML, section 4.12.1); the text of others is data. */
const RUNS = /^\s*$|script|module/i;
/** Without scripts, as in previews of mails, `noscript` is shown. */
const HIDING = new Set(['script', 'style', 'template', 'title']);

/** Clause on a page of which the rest was read. */
export const SCRIPT_UNREAD = 'what a script in the page does is not worked out here';

const MOST_PICTURES = 200;

export interface Page extends Contents {
  readonly text: string;
  /** Nothing here works out what it does. */
  readonly runsScript: boolean;
}

interface Reading {
  readonly budget: Budget;
  readonly links: Set<string>;
  readonly pictures: Set<string>;
  readonly text: string[];
  readonly findings: Map<string, Finding>;
  readonly reasons: Set<string>;
  textLength: number;
  /** It shows more than is read. */
  isCut: boolean;
  depth: number;
  hidden: number;
  readonly scripts: PageScripts;
  /** Pages and other files that stand in attributes. */
  readonly within: Omit<Part, 'depth'>[];
  /** A script runs in it. */
  runsScript: boolean;
  /** Scripts in attributes that are still looked at. */
  eventsLeft: number;
  /** The element whose text is read now is a script that runs. */
  isScript: boolean;
  form: { readonly action: string | undefined; asksForPassword: boolean } | undefined;
  anchor: { readonly href: string; shown: string } | undefined;
}

/**
 * Reads a web page, or the body of a mail: what it shows, where it leads, and what stands in its scripts and forms. Nothing
 * is fetched or run.
 */
export function readHtml(source: Uint8Array | string, budget: Budget): Page {
  // In a page it opens a comment that ends with the next tag, in a drawing it is shown: read as if it were not there, both are.
  const html = (typeof source === 'string' ? source : decodeText(source)).replaceAll('<![CDATA[', '');
  const reading: Reading = {
    budget,
    links: new Set(),
    pictures: new Set(),
    text: [],
    findings: new Map(),
    reasons: new Set(),
    textLength: 0,
    isCut: false,
    depth: 0,
    hidden: 0,
    scripts: startScripts(),
    within: [],
    runsScript: false,
    eventsLeft: MOST_EVENTS,
    isScript: false,
    form: undefined,
    anchor: undefined,
  };
  const wasReadToItsEnd = parse(html, reading);
  const { scripts, within } = reading;
  if (scripts.handsOver && scripts.hidesFile) note(reading, 'html_smuggling');
  const text = reading.text.join('').replace(/\s+/g, ' ').trim();
  return {
    text,
    texts: [text],
    links: [...reading.links, ...scripts.links],
    pictures: [...reading.pictures].slice(0, MOST_PICTURES),
    parts: within.slice(0, MOST_WITHIN),
    runsScript: reading.runsScript,
    findings: [...reading.findings.values()],
    reasons: [...reading.reasons],
    unread: () =>
      wasReadToItsEnd &&
      !reading.isCut &&
      within.length <= MOST_WITHIN &&
      reading.pictures.size <= MOST_PICTURES
        ? undefined
        : 'the page is too long or too deeply nested to be read to its end',
  };
}

/** Reads a page that was sent as a file, whose scripts run when it is opened. */
export function readPage(bytes: Uint8Array, budget: Budget): Contents {
  const page = readHtml(bytes, budget);
  const ofScripts = page.runsScript ? SCRIPT_UNREAD : undefined;
  return { ...page, unread: () => page.unread?.() ?? ofScripts };
}

/** Whether the page was read to its end. */
function parse(html: string, reading: Reading): boolean {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(name, attributes, reading),
      ontext: (text) => show(text, reading),
      onclosetag: (name) => close(name, reading),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  for (let at = 0; at < html.length; at += STEP_CHARACTERS) {
    if (isTimeUp(reading.budget) || reading.depth > DEEPEST) return false;
    parser.write(html.slice(at, at + STEP_CHARACTERS));
  }
  parser.end();
  return true;
}

function open(name: string, attributes: Attributes, reading: Reading): void {
  reading.depth++;
  // A template for the shadow of an element is shown at once.
  if (HIDING.has(name) && attributes.shadowrootmode === undefined) reading.hidden++;
  if (name === 'script') reading.isScript = RUNS.test(attributes.type ?? attributes.language ?? '');
  if (name === 'form') reading.form = { action: attributes.action, asksForPassword: false };
  lookAtAttributes(name, attributes, reading);
  if (name === 'input' && isPasswordField(attributes)) askForPassword(reading);
  if (name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'refresh') {
    const target = refreshTarget(attributes.content ?? '');
    if (target !== '') {
      link(target, reading);
      reading.reasons.add('the page sends whoever opens it on to another at once');
    }
  }
  if (name === 'input' && attributes.type !== 'hidden') {
    show(` ${attributes.value ?? ''} ${attributes.placeholder ?? ''} `, reading);
  }
  if (['p', 'br', 'div', 'tr', 'td', 'li', 'h1', 'h2', 'h3'].includes(name)) show(' ', reading);
}

function lookAtAttributes(name: string, attributes: Attributes, reading: Reading): void {
  const address = addressIn(name, attributes);
  if (address !== undefined) link(address, reading);
  const picture = pictureIn(name, attributes);
  if (picture !== undefined && reading.pictures.size <= MOST_PICTURES) {
    reading.pictures.add(picture.slice(0, 2048));
  }
  if (name === 'script' && address !== undefined && reading.isScript) reading.runsScript = true;
  if (attributes.formaction !== undefined && reading.form?.asksForPassword && isElsewhere(address)) {
    note(reading, 'password_form');
  }
  if (name === 'a' && address !== undefined) {
    if ('download' in attributes) handOver(address, reading);
    reading.anchor = { href: address, shown: '' };
  }
  if (attributes.srcdoc !== undefined && reading.within.length <= MOST_WITHIN) {
    reading.within.push({ bytes: Buffer.from(attributes.srcdoc), name: 'a.html' });
  }
  for (const [key, value] of Object.entries(attributes)) if (/^on[a-z]/.test(key)) run(value, reading);
}

function close(name: string, reading: Reading): void {
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

function show(text: string, reading: Reading): void {
  if (reading.hidden > 0) {
    lookAtScript(text, reading.scripts);
    reading.runsScript ||= reading.isScript && text.trim() !== '';
    return;
  }
  if (reading.anchor && reading.anchor.shown.length < LONGEST_SHOWN) {
    reading.anchor.shown += text.slice(0, LONGEST_SHOWN);
  }
  const left = reading.budget.limits.textCharacters - reading.textLength;
  reading.isCut ||= text.length > left;
  if (left <= 0) return;
  reading.text.push(text.slice(0, left));
  reading.textLength += text.length;
}

/** What stands in an attribute and runs: by itself, or with a click. */
function run(script: string, reading: Reading): void {
  const { scripts } = reading;
  const { rest } = scripts;
  reading.runsScript = true;
  if (reading.eventsLeft-- <= 0) return;
  scripts.rest = '';
  lookAtScript(script.slice(0, STEP_CHARACTERS), scripts);
  scripts.rest = rest;
}

function handOver(address: string, reading: Reading): void {
  if (/^(?:data|blob):/i.test(address) && address.length > 2000) note(reading, 'html_smuggling');
  reading.scripts.handsOver = true;
}

function askForPassword(reading: Reading): void {
  if (reading.form) reading.form.asksForPassword = true;
  note(reading, isElsewhere(reading.form?.action) ? 'password_form' : 'password_field');
}

function link(written: string, reading: Reading): void {
  const { links, budget, within } = reading;
  const address = asBrowsersRead(written);
  if (/^javascript:/i.test(address)) {
    run(unescapedAddress(address), reading);
    return;
  }
  if (/^data:/i.test(address)) {
    const file = fileInAddress(address);
    // One more than is opened, or judged, so that it is seen that there are more.
    if (file && within.length <= MOST_WITHIN) within.push(file);
    reading.isCut ||= file === undefined;
    return;
  }
  if (links.size > budget.limits.links) return;
  if (isElsewhere(address)) links.add(address.slice(0, 2048));
}

function note({ findings }: Reading, sign: Parameters<typeof fileFinding>[0]): void {
  findings.set(sign, fileFinding(sign));
}
