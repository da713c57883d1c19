import { namesOtherComputer } from '../../analysis/other-computer.ts';
import { compareShown } from '../../analysis/shown-address.ts';
import type { Finding } from '../../finding.ts';
import { extractLinks } from '../extract-links.ts';
import type { Contents, FilePart } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { readPdfStructure } from './pdf-structure.ts';
import { readEmbeddedNames, readPdfTargets } from './pdf-targets.ts';
import { readPdfWords } from './pdf-words.ts';

const MAX_EMBEDDED = 50;
const WRITTEN = /\b(?:https?:\/\/|www\.)[^\s<>"']{4,300}/gi;
/** Names of XML vocabularies, which every document's metadata contains. */
const VOCABULARY = /^https?:\/\/(?:ns\.adobe\.com|www\.w3\.org|purl\.org|www\.aiim\.org|iptc\.org)\//i;
/** A form that is drawn from a separate XML description (ISO 32000-1, section 12.7.8). */
const XML_FORM = /\/XFA\s{0,8}(?:\[|\d)/;

/**
 * Reads a PDF document: its words and links, the actions that start automatically, and the embedded files.
 * Nothing is drawn or run.
 */
export function readPdf(bytes: Uint8Array, budget: Budget): Contents {
  const structure = readPdfStructure(bytes, budget);
  const { text, streams } = structure;
  const isEncrypted = /\/Encrypt\b/.test(text);
  const { words, areAll } = isEncrypted ? { words: '', areAll: true } : readPdfWords(structure, budget);
  // One more than is scored, so that a surplus is noticed.
  const targets = readPdfTargets(structure);
  const links = [...linksOf(text, targets)].slice(0, budget.limits.links + 1);
  const names = readEmbeddedNames(structure);
  const embedded = streams.filter(({ dictionary }) => /\/EmbeddedFile\b/.test(dictionary));
  return {
    texts: [words],
    links,
    findings: [...actionFindings(text, targets), ...shownFindings(words, targets)],
    reasons: actionReasons(text),
    parts: embedded
      .slice(0, MAX_EMBEDDED)
      .map(({ object, bytes }): Omit<FilePart, 'depth'> => ({ bytes, name: names.get(object ?? -1) })),
    unread: () => {
      if (isEncrypted) return 'the document is encrypted';
      if (XML_FORM.test(text)) return 'the document is a form in an unsupported format (XFA)';
      if (!structure.wasReadToItsEnd || !areAll || embedded.length > MAX_EMBEDDED || isTimeUp(budget)) {
        return 'the document is too large or too unusual to be read to the end';
      }
      return words.trim() === '' && links.length === 0
        ? 'the document contains no readable words'
        : undefined;
    },
  };
}

function linksOf(text: string, targets: ReadonlySet<string>): Set<string> {
  const links = new Set<string>();
  for (const target of targets) if (/^(?:https?:\/\/|www\.)/i.test(target)) links.add(target);
  for (const link of extractLinks(text)) if (!VOCABULARY.test(link)) links.add(link);
  return links;
}

function actionFindings(objects: string, targets: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  if (/\/Launch\b/.test(objects)) findings.push(fileFinding('pdf_launch'));
  const acts = /\/(?:OpenAction|AA)\b/.test(objects);
  if (hasScript(objects) && acts) findings.push(fileFinding('pdf_script'));
  if (acts && [...targets].some(namesOtherComputer)) findings.push(fileFinding('pdf_opens_elsewhere'));
  return findings;
}

/**
 * Where words are on a page is not read, so only one address in the words and one target are compared with each other.
 */
function shownFindings(words: string, targets: ReadonlySet<string>): Finding[] {
  const links = [...targets].filter((target) => /^https?:/i.test(target));
  const shown = new Set([...words.matchAll(WRITTEN)].map(([written]) => written));
  const [address] = shown;
  const [target] = links;
  if (address === undefined || target === undefined || shown.size > 1 || links.length > 1) return [];
  const sign = compareShown(address, target);
  return sign === undefined ? [] : [fileFinding(sign)];
}

function actionReasons(objects: string): string[] {
  const reasons: string[] = [];
  if (hasScript(objects)) reasons.push('the document contains a script');
  if (/\/EmbeddedFiles?\b/.test(objects)) reasons.push('the document contains another file');
  if (/\/S\s*\/SubmitForm\b/.test(objects)) reasons.push('the document sends form input to a server');
  return reasons;
}

function hasScript(objects: string): boolean {
  return /\/S\s*\/JavaScript\b|\/JS\s*[(<]|\/JS\s+\d+\s+\d+\s+R/.test(objects);
}
