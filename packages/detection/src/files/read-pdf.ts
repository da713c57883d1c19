import type { Finding } from '../judgement/finding.ts';
import type { Contents, Part } from './contents.ts';
import { fileFinding } from './file-finding.ts';
import { type Budget, isTimeUp } from './file-limits.ts';
import { readPdfStructure } from './pdf-structure.ts';
import { wordsOfPdf } from './pdf-words.ts';
import { linksIn } from './read-script.ts';

const MOST_EMBEDDED = 50;
/** Names of XML vocabularies, which stand in every document's metadata. */
const VOCABULARY = /^https?:\/\/(?:ns\.adobe\.com|www\.w3\.org|purl\.org|www\.aiim\.org|iptc\.org)\//i;
const LINK = /\/(?:URI|F|UF)\s*(?:\(((?:\\[\s\S]|[^\\()]){4,2048})\)|<([0-9a-fA-F\s]{8,4096})>)/g;

/**
 * Reads a PDF document: its words and links, the actions that start by themselves, and the files embedded in it. Nothing
 * is drawn and nothing run.
 */
export function readPdf(bytes: Uint8Array, budget: Budget): Contents {
  const structure = readPdfStructure(bytes, budget);
  const { text, streams } = structure;
  const isEncrypted = /\/Encrypt\b/.test(text);
  const { words, areAll } = isEncrypted ? { words: '', areAll: true } : wordsOfPdf(structure, budget);
  // One more than is judged, so that it is seen that there are more.
  const links = [...linksOf(text)].slice(0, budget.limits.links + 1);
  const embedded = streams.filter(({ dictionary }) => /\/EmbeddedFile\b/.test(dictionary));
  return {
    texts: [words],
    links,
    findings: actionFindings(text),
    reasons: actionReasons(text),
    parts: embedded
      .slice(0, MOST_EMBEDDED)
      .map((file): Omit<Part, 'depth'> => ({ bytes: file.bytes, name: undefined })),
    unread: () => {
      if (isEncrypted) return 'the document is encrypted';
      if (!structure.wasReadToItsEnd || !areAll || embedded.length > MOST_EMBEDDED || isTimeUp(budget)) {
        return 'the document is too large or too unusual to be read to its end';
      }
      return words.trim() === '' && links.length === 0
        ? 'the document holds no words that can be read'
        : undefined;
    },
  };
}

function linksOf(objects: string): Set<string> {
  const links = new Set<string>();
  for (const [, literal, hex] of objects.matchAll(LINK)) {
    const address = (literal === undefined ? fromHex(hex ?? '') : literal.replace(/\\(?:\r?\n|(.))/gs, '$1'))
      .replaceAll('\0', '')
      .trim();
    if (/^(?:https?:\/\/|www\.)/i.test(address)) links.add(address);
  }
  for (const link of linksIn(objects)) if (!VOCABULARY.test(link)) links.add(link);
  return links;
}

function fromHex(hex: string): string {
  return Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1');
}

function actionFindings(objects: string): Finding[] {
  const findings: Finding[] = [];
  if (/\/S\s*\/Launch\b/.test(objects)) findings.push(fileFinding('pdf_launch'));
  if (hasScript(objects) && /\/(?:OpenAction|AA)\b/.test(objects)) findings.push(fileFinding('pdf_script'));
  return findings;
}

function actionReasons(objects: string): string[] {
  const reasons: string[] = [];
  if (hasScript(objects)) reasons.push('the document holds a script');
  if (/\/EmbeddedFiles?\b/.test(objects)) reasons.push('the document holds another file');
  if (/\/S\s*\/SubmitForm\b/.test(objects))
    reasons.push('the document sends what is typed into it elsewhere');
  return reasons;
}

function hasScript(objects: string): boolean {
  return /\/S\s*\/JavaScript\b|\/JS\s*[(<]|\/JS\s+\d+\s+\d+\s+R/.test(objects);
}
