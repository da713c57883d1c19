import type { Finding } from '../../finding.ts';
import type { Part } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import type { Budget } from '../file-limits.ts';
import { fileOfDataUrl } from './data-address.ts';
import { asBrowsersRead, isElsewhere, unescapedAddress } from './page-elements.ts';
import { type PageScripts, readScriptPiece, startScripts } from './page-scripts.ts';

const MAX_SHOWN_LENGTH = 200;
/** Frames and `data:` files that are opened; each counts as a part. */
export const MAX_WITHIN = 50;
/** The result states anyway that scripts are not analyzed. */
const MAX_EVENTS = 1000;
/** Of one of them. */
const MAX_EVENT_LENGTH = 32_768;

/** The results so far for a page, and the position of the reader. */
export interface PageReading {
  readonly budget: Budget;
  readonly links: Set<string>;
  readonly pictures: Set<string>;
  readonly text: string[];
  readonly findings: Map<string, Finding>;
  readonly reasons: Set<string>;
  textLength: number;
  /** The page displays more than is read. */
  isCut: boolean;
  depth: number;
  hidden: number;
  readonly scripts: PageScripts;
  /** Pages and other files in attributes. */
  readonly within: Omit<Part, 'depth'>[];
  /** The page runs a script. */
  runsScript: boolean;
  /** Scripts in attributes that may still be read. */
  eventsLeft: number;
  /** The current element is a script that runs. */
  isScript: boolean;
  form: { readonly action: string | undefined; asksForPassword: boolean } | undefined;
  anchor: { readonly href: string; shown: string } | undefined;
}

/** Starts without results. */
export function startReading(budget: Budget): PageReading {
  return {
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
    eventsLeft: MAX_EVENTS,
    isScript: false,
    form: undefined,
    anchor: undefined,
  };
}

/** Adds text that the page displays, or the text of a script. */
export function show(text: string, reading: PageReading): void {
  if (reading.hidden > 0) {
    readScriptPiece(text, reading.scripts);
    reading.runsScript ||= reading.isScript && text.trim() !== '';
    return;
  }
  if (reading.anchor && reading.anchor.shown.length < MAX_SHOWN_LENGTH) {
    reading.anchor.shown += text.slice(0, MAX_SHOWN_LENGTH);
  }
  const left = reading.budget.limits.textCharacters - reading.textLength;
  reading.isCut ||= text.length > left;
  if (left <= 0) return;
  reading.text.push(text.slice(0, left));
  reading.textLength += text.length;
}

/** Adds a script in an attribute that runs by itself or with a click. */
export function run(script: string, reading: PageReading): void {
  const { scripts } = reading;
  const { rest } = scripts;
  reading.runsScript = true;
  if (reading.eventsLeft-- <= 0) return;
  scripts.rest = '';
  readScriptPiece(script.slice(0, MAX_EVENT_LENGTH), scripts);
  scripts.rest = rest;
}

/** Adds a download that the page offers. */
export function addDownload(address: string, reading: PageReading): void {
  if (/^(?:data|blob):/i.test(address) && address.length > 2000) note(reading, 'html_smuggling');
  reading.scripts.handsOver = true;
}

/** Adds a password field. */
export function addPasswordField(reading: PageReading): void {
  if (reading.form) reading.form.asksForPassword = true;
  note(reading, isElsewhere(reading.form?.action) ? 'password_form' : 'password_field');
}

/** Adds a target: a page, a file in the URL itself, or a script. */
export function link(written: string, reading: PageReading): void {
  const { links, budget, within } = reading;
  const address = asBrowsersRead(written);
  if (/^javascript:/i.test(address)) {
    run(unescapedAddress(address), reading);
    return;
  }
  if (/^data:/i.test(address)) {
    const file = fileOfDataUrl(address);
    // One more than is opened or scored, so that a surplus is noticed.
    if (file && within.length <= MAX_WITHIN) within.push(file);
    reading.isCut ||= file === undefined;
    return;
  }
  if (links.size > budget.limits.links) return;
  if (isElsewhere(address)) links.add(address.slice(0, 2048));
}

/** Adds a sign in the structure of the page. */
export function note({ findings }: PageReading, sign: Parameters<typeof fileFinding>[0]): void {
  findings.set(sign, fileFinding(sign));
}
