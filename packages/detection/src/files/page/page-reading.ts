import type { Finding } from '../../finding.ts';
import type { Part } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import type { Budget } from '../file-limits.ts';
import { fileOfDataUrl } from './data-address.ts';
import { asBrowsersRead, isElsewhere, unescapedAddress } from './page-elements.ts';
import { type PageScripts, readScriptPiece, startScripts } from './page-scripts.ts';

const MAX_SHOWN_LENGTH = 200;
/** Frames and files in addresses that are opened; each costs a part. */
export const MAX_WITHIN = 50;
/** It is said anyway that they are not worked out. */
const MAX_EVENTS = 1000;
/** Of one of them. */
const MAX_EVENT_LENGTH = 32_768;

/** What was found so far on a page, and where in it the reader is. */
export interface PageReading {
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

/** Begins with nothing found. */
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

/** Takes in what the page shows, or what stands in a script. */
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

/** Takes in a script that stands in an attribute and runs: by itself, or with a click. */
export function run(script: string, reading: PageReading): void {
  const { scripts } = reading;
  const { rest } = scripts;
  reading.runsScript = true;
  if (reading.eventsLeft-- <= 0) return;
  scripts.rest = '';
  readScriptPiece(script.slice(0, MAX_EVENT_LENGTH), scripts);
  scripts.rest = rest;
}

/** Takes in that the page hands something over as a download. */
export function addDownload(address: string, reading: PageReading): void {
  if (/^(?:data|blob):/i.test(address) && address.length > 2000) note(reading, 'html_smuggling');
  reading.scripts.handsOver = true;
}

/** Takes in a field for a password. */
export function addPasswordField(reading: PageReading): void {
  if (reading.form) reading.form.asksForPassword = true;
  note(reading, isElsewhere(reading.form?.action) ? 'password_form' : 'password_field');
}

/** Takes in where something leads: to a page, a file in the address itself, or a script. */
export function link(written: string, reading: PageReading): void {
  const { links, budget, within } = reading;
  const address = asBrowsersRead(written);
  if (/^javascript:/i.test(address)) {
    run(unescapedAddress(address), reading);
    return;
  }
  if (/^data:/i.test(address)) {
    const file = fileOfDataUrl(address);
    // One more than is opened, or judged, so that it is seen that there are more.
    if (file && within.length <= MAX_WITHIN) within.push(file);
    reading.isCut ||= file === undefined;
    return;
  }
  if (links.size > budget.limits.links) return;
  if (isElsewhere(address)) links.add(address.slice(0, 2048));
}

/** Takes in what the form of the page gives away. */
export function note({ findings }: PageReading, sign: Parameters<typeof fileFinding>[0]): void {
  findings.set(sign, fileFinding(sign));
}
