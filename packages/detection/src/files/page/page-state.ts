import { compareShown, MAX_SHOWN_LENGTH } from '../../analysis/shown-address.ts';
import type { Finding } from '../../finding.ts';
import type { FilePart } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import type { Budget } from '../file-limits.ts';
import { fileOfDataUrl } from './data-address.ts';
import { decodeEscapes, isOtherSite, toBrowserUrl } from './page-elements.ts';
import { type PageScripts, readScriptPiece, startScripts } from './page-scripts.ts';

/** Frames and `data:` files that are opened; each counts as a part. */
export const MAX_EMBEDDED = 50;
/** The result states anyway that scripts are not analyzed. */
const MAX_EVENTS = 1000;
/** Of one of them. */
const MAX_EVENT_LENGTH = 32_768;

/** The results so far for a page, and the position of the reader. */
export interface PageState {
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
  readonly embedded: Omit<FilePart, 'depth'>[];
  /** The page runs a script. */
  runsScript: boolean;
  /** Scripts in attributes that may still be read. */
  eventsLeft: number;
  /** The current element is a script that runs. */
  isScript: boolean;
  form: { readonly action: string | undefined; asksForPassword: boolean } | undefined;
  /** The link or button that is open, and the text in it so far. */
  anchor: { readonly element: string; readonly href: string; shown: string } | undefined;
}

/** Starts without results. */
export function createPageState(budget: Budget): PageState {
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
    embedded: [],
    runsScript: false,
    eventsLeft: MAX_EVENTS,
    isScript: false,
    form: undefined,
    anchor: undefined,
  };
}

/** Adds text that the page displays, or the text of a script. */
export function addText(text: string, state: PageState): void {
  if (state.hidden > 0) {
    readScriptPiece(text, state.scripts);
    state.runsScript ||= state.isScript && text.trim() !== '';
    return;
  }
  if (state.anchor && state.anchor.shown.length < MAX_SHOWN_LENGTH) {
    state.anchor.shown += text.slice(0, MAX_SHOWN_LENGTH);
  }
  const left = state.budget.limits.textCharacters - state.textLength;
  state.isCut ||= text.length > left;
  if (left <= 0) return;
  state.text.push(text.slice(0, left));
  state.textLength += text.length;
}

/** Adds a script in an attribute that runs by itself or with a click. */
export function addScript(script: string, state: PageState): void {
  const { scripts } = state;
  const { rest } = scripts;
  state.runsScript = true;
  if (state.eventsLeft-- <= 0) return;
  scripts.rest = '';
  readScriptPiece(script.slice(0, MAX_EVENT_LENGTH), scripts);
  scripts.rest = rest;
}

/** Adds a download that the page offers. */
export function addDownload(address: string, state: PageState): void {
  if (/^(?:data|blob):/i.test(address) && address.length > 2000) addSign(state, 'html_smuggling');
  state.scripts.handsOver = true;
}

/** Adds a password field. */
export function addPasswordField(state: PageState): void {
  if (state.form) state.form.asksForPassword = true;
  addSign(state, isOtherSite(state.form?.action) ? 'password_form' : 'password_field');
}

/** Adds a target: a page, a file in the URL itself, or a script. */
export function addTarget(written: string, state: PageState): void {
  const { links, budget, embedded } = state;
  const address = toBrowserUrl(written);
  if (/^javascript:/i.test(address)) {
    addScript(decodeEscapes(address), state);
    return;
  }
  if (/^data:/i.test(address)) {
    const file = fileOfDataUrl(address);
    // One more than is opened or scored, so that a surplus is noticed.
    if (file && embedded.length <= MAX_EMBEDDED) embedded.push(file);
    state.isCut ||= file === undefined;
    return;
  }
  if (links.size > budget.limits.links) return;
  if (isOtherSite(address)) links.add(address.slice(0, 2048));
}

/** Compares what a link or button displays with the address to which it leads. */
export function addShown(shown: string, href: string | undefined, state: PageState): void {
  const sign = href === undefined ? undefined : compareShown(shown, toBrowserUrl(href));
  if (sign !== undefined) addSign(state, sign);
}

/** Adds a sign in the structure of the page. */
export function addSign({ findings }: PageState, sign: Parameters<typeof fileFinding>[0]): void {
  findings.set(sign, fileFinding(sign));
}
