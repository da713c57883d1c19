import { Parser } from 'htmlparser2';
import { parseUrl, registeredDomain } from '../indicators/canonical.ts';
import type { Finding } from '../judgement/finding.ts';
import type { Contents } from './contents.ts';
import { fileFinding } from './file-finding.ts';
import { type Budget, isTimeUp } from './file-limits.ts';
import { decodeText } from './file-type.ts';

/** Between looks at the clock. */
const STEP_CHARACTERS = 32_768;
/** The parser looks through the open elements at each closing tag; no honest page nests a tenth of this. */
const DEEPEST = 1000;
const LONGEST_SHOWN = 200;
/** A file hidden in a script is longer than this; a small picture in a mail is shorter, and no script. */
const HIDDEN_FILE = /[A-Za-z0-9+/]{2000}/;
const HANDS_OVER =
  /createObjectURL|msSaveOrOpenBlob|msSaveBlob|new\s+Blob\b|\.download\b|data:application\//i;
const UNPACKS = /\batob\b|fromCharCode|Uint8Array|unescape\s*\(/i;
const SHOWN_DOMAIN = /^\s*(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(?:[/?#:]\S*)?\s*$/i;
const HIDING = new Set(['script', 'style', 'noscript', 'template', 'title']);
const LINKING = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['form', 'action'],
  ['iframe', 'src'],
  ['frame', 'src'],
  ['script', 'src'],
  ['base', 'href'],
  ['object', 'data'],
  ['embed', 'src'],
]);

export interface Page extends Contents {
  readonly text: string;
}

interface Reading {
  readonly budget: Budget;
  readonly links: Set<string>;
  readonly text: string[];
  readonly findings: Map<string, Finding>;
  readonly reasons: Set<string>;
  textLength: number;
  /** It shows more than is read. */
  isCut: boolean;
  depth: number;
  hidden: number;
  scriptHandsOver: boolean;
  scriptUnpacks: boolean;
  hidesFile: boolean;
  script: string;
  form: { readonly action: string | undefined } | undefined;
  anchor: { readonly href: string; shown: string } | undefined;
}

/**
 * Reads a web page: what it shows, where it leads, and what it does with scripts and forms. Nothing is fetched or run.
 * With `isMail` a page is the body of a mail: there a password field or a script counts as in a file, and so does a link that
 * shows another domain.
 */
export function readHtml(source: Uint8Array | string, budget: Budget): Page {
  const html = typeof source === 'string' ? source : decodeText(source);
  const reading: Reading = {
    budget,
    links: new Set(),
    text: [],
    findings: new Map(),
    reasons: new Set(),
    textLength: 0,
    isCut: false,
    depth: 0,
    hidden: 0,
    scriptHandsOver: false,
    scriptUnpacks: false,
    hidesFile: false,
    script: '',
    form: undefined,
    anchor: undefined,
  };
  const wasReadToItsEnd = parse(html, reading);
  if (reading.scriptHandsOver && (reading.scriptUnpacks || reading.hidesFile) && reading.hidesFile) {
    note(reading, 'html_smuggling');
  }
  const text = reading.text.join('').replace(/\s+/g, ' ').trim();
  return {
    text,
    texts: [text],
    links: [...reading.links],
    findings: [...reading.findings.values()],
    reasons: [...reading.reasons],
    unread: () =>
      wasReadToItsEnd && !reading.isCut
        ? undefined
        : 'the page is too long or too deeply nested to be read to its end',
  };
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

function open(name: string, attributes: Readonly<Record<string, string>>, reading: Reading): void {
  reading.depth++;
  if (HIDING.has(name)) reading.hidden++;
  const attribute = LINKING.get(name);
  const address = attribute === undefined ? undefined : attributes[attribute]?.trim();
  if (address !== undefined) link(address, reading);
  if (name === 'form') reading.form = { action: attributes.action };
  if (name === 'a' && address !== undefined) {
    if ('download' in attributes) handOver(address, reading);
    reading.anchor = { href: address, shown: '' };
  }
  if (name === 'input' && attributes.type?.trim().toLowerCase() === 'password') askForPassword(reading);
  if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh') {
    const target = /url\s*=\s*['"]?([^'"\s]{1,2048})/i.exec(attributes.content ?? '')?.[1];
    if (target !== undefined) {
      link(target, reading);
      reading.reasons.add('the page sends whoever opens it on to another at once');
    }
  }
  if (['p', 'br', 'div', 'tr', 'td', 'li', 'h1', 'h2', 'h3'].includes(name)) show(' ', reading);
}

function close(name: string, reading: Reading): void {
  reading.depth--;
  if (HIDING.has(name)) {
    reading.hidden = Math.max(0, reading.hidden - 1);
    if (name === 'script') reading.script = '';
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
    lookAtScript(text, reading);
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

/** Scripts come in pieces; the last characters of one are looked at with the next. */
function lookAtScript(text: string, reading: Reading): void {
  const script = reading.script + text;
  reading.scriptHandsOver ||= HANDS_OVER.test(script);
  reading.scriptUnpacks ||= UNPACKS.test(script);
  reading.hidesFile ||= HIDDEN_FILE.test(script);
  reading.script = script.slice(-2100);
}

function handOver(address: string, reading: Reading): void {
  if (/^(?:data|blob):/i.test(address) && address.length > 2000) note(reading, 'html_smuggling');
  reading.scriptHandsOver = true;
}

function askForPassword(reading: Reading): void {
  reading.reasons.add('it asks for a password');
  const isSentElsewhere = /^\s*(?:https?:)?\/\//i.test(reading.form?.action ?? '');
  note(reading, isSentElsewhere ? 'password_form' : 'password_field');
}

function link(address: string, { links, budget }: Reading): void {
  // One more than is judged, so that it is seen that there are more.
  if (links.size > budget.limits.links) return;
  if (/^(?:https?:)?\/\//i.test(address)) links.add(address.slice(0, 2048));
}

function showsAnotherDomain(shown: string, href: string): boolean {
  const named = SHOWN_DOMAIN.exec(shown)?.[1]?.toLowerCase();
  if (named === undefined || !/^https?:/i.test(href)) return false;
  const shownDomain = registeredDomain(named);
  const host = parseUrl(href.slice(0, 2048))?.host;
  const linked = host === undefined ? undefined : (registeredDomain(host) ?? host);
  return shownDomain !== undefined && linked !== undefined && shownDomain !== linked;
}

function note({ findings }: Reading, sign: Parameters<typeof fileFinding>[0]): void {
  findings.set(sign, fileFinding(sign));
}
