import type { Finding } from '../judgement/finding.ts';
import type { Contents, Part } from './contents.ts';
import { fileFinding } from './file-finding.ts';
import { type Budget, isTimeUp } from './file-limits.ts';
import { latin1 } from './file-type.ts';
import { inflateWithin } from './inflate.ts';
import { readPdfWords } from './read-pdf-words.ts';
import { linksIn } from './read-script.ts';

const MOST_STREAMS = 2000;
/** A dictionary stands before its stream; with a longer one it is not looked at. */
const LONGEST_DICTIONARY = 4096;
/** RFC 1950: two bytes before the deflate data. */
const ZLIB_HEADER_BYTES = 2;
/** The words reader works on all of it at once; the words of an honest document of this size are a book. */
const MOST_CONTENT = 4 * 1024 * 1024;

interface Structure {
  /** The document's objects as text: those in the open, and those of compressed object streams. */
  readonly objects: string[];
  readonly embedded: Uint8Array[];
  /** Unpacks to what can be held, in ways that were understood. */
  isPlain: boolean;
  wasReadToItsEnd: boolean;
  contentBytes: number;
}

/**
 * Reads a PDF document (ISO 32000-1): its links, the actions that start by themselves, files embedded in it and, for
 * documents of an ordinary size and form, its words.
 */
export async function readPdf(bytes: Uint8Array, budget: Budget): Promise<Contents> {
  const raw = latin1(bytes);
  const structure = readStructure(raw, bytes, budget);
  const { isPlain } = structure;
  const names = structure.objects
    .join('\n')
    .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const isEncrypted = /\/Encrypt\b/.test(names);
  const canReadWords = isPlain && !isEncrypted && bytes.length <= budget.limits.pdfWordsBytes;
  const words = canReadWords ? await readPdfWords(raw, budget) : undefined;
  return {
    texts: words === undefined ? [] : [words],
    links: [...linksOf(names)].slice(0, budget.limits.links),
    findings: actionFindings(names),
    reasons: actionReasons(names),
    parts: structure.embedded.map((embedded): Omit<Part, 'depth'> => ({ bytes: embedded, name: undefined })),
    unread: () => {
      if (isEncrypted) return 'the document is encrypted';
      if (words === undefined) return 'the words of the document could not be read';
      return structure.wasReadToItsEnd
        ? undefined
        : 'the document is too large or too unusual to be read to its end';
    },
  };
}

/** Finds the streams by their keyword and unpacks them, since what is in them cannot be trusted to be listed anywhere. */
function readStructure(raw: string, bytes: Uint8Array, budget: Budget): Structure {
  const structure: Structure = {
    objects: [raw],
    embedded: [],
    isPlain: true,
    wasReadToItsEnd: true,
    contentBytes: 0,
  };
  let streams = 0;
  for (const match of raw.matchAll(/\bstream\r?\n/g)) {
    if (++streams > MOST_STREAMS || isTimeUp(budget)) {
      structure.isPlain = structure.wasReadToItsEnd = false;
      break;
    }
    const from = match.index + match[0].length;
    const end = raw.indexOf('endstream', from);
    const packed = bytes.subarray(from, end < 0 ? bytes.length : end);
    readStream(packed, dictionaryBefore(raw, match.index), { structure, budget });
  }
  if (structure.contentBytes > MOST_CONTENT) structure.isPlain = false;
  return structure;
}

function readStream(
  packed: Uint8Array,
  dictionary: string,
  { structure, budget }: { structure: Structure; budget: Budget },
): void {
  if (isUnusual(dictionary)) structure.isPlain = false;
  if (/\/Subtype\s*\/Image\b/.test(dictionary) && !/\/Form\b/.test(dictionary)) return;
  const isEmbedded = /\/EmbeddedFile\b/.test(dictionary);
  if (!isZlib(packed)) {
    structure.contentBytes += packed.length;
    if (isEmbedded) structure.embedded.push(packed);
    return;
  }
  const { bytes, stopped } = inflateWithin(packed.subarray(ZLIB_HEADER_BYTES), budget);
  if (stopped !== undefined && stopped !== 'damaged') structure.isPlain = structure.wasReadToItsEnd = false;
  structure.contentBytes += bytes.length;
  if (isEmbedded) structure.embedded.push(bytes);
  else if (/\/ObjStm\b/.test(dictionary)) structure.objects.push(latin1(bytes));
  else if (hasWideRanges(bytes)) structure.isPlain = false;
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (256 * first + second) % 31 === 0;
}

function dictionaryBefore(raw: string, at: number): string {
  const before = raw.slice(Math.max(0, at - LONGEST_DICTIONARY), at);
  return before.slice(Math.max(0, before.lastIndexOf(' obj')));
}

/** Filters in a row, old filters, escaped or borrowed names: with these a small document unpacks to a huge one unseen. */
function isUnusual(dictionary: string): boolean {
  const filters =
    dictionary.match(/\/(?:Flate|LZW|RunLength|ASCII85|ASCIIHex)Decode\b|\/(?:Fl|LZW|RL|A85|AHx)\b/g) ?? [];
  return (
    filters.length > 1 ||
    /LZW|RunLength|\/RL\b/.test(filters.join()) ||
    /\/[A-Za-z]*#|\/(?:Subtype|Filter|F)\s+\d+\s+\d+\s+R/.test(dictionary)
  );
}

/** A character map whose ranges would take minutes to write out. */
function hasWideRanges(inflated: Uint8Array): boolean {
  const map = latin1(inflated.subarray(0, 262_144));
  if (!map.includes('range')) return false;
  for (const [, low = '', high = ''] of map.matchAll(/<\s*([0-9a-f]{1,8})\s*>\s*<\s*([0-9a-f]{1,8})\s*>/gi)) {
    if (Number.parseInt(high, 16) - Number.parseInt(low, 16) > 0xffff) return true;
  }
  return false;
}

function linksOf(objects: string): Set<string> {
  const links = new Set<string>();
  for (const [, literal, hex] of objects.matchAll(
    /\/(?:URI|F|UF)\s*(?:\(((?:\\[\s\S]|[^\\()]){4,2048})\)|<([0-9a-fA-F\s]{8,4096})>)/g,
  )) {
    const text = literal === undefined ? fromHex(hex ?? '') : literal.replace(/\\(?:\r?\n|(.))/gs, '$1');
    const address = text.replaceAll('\0', '').trim();
    if (/^(?:https?:\/\/|www\.)/i.test(address)) links.add(address);
  }
  for (const link of linksIn(objects)) {
    // Names of XML vocabularies in metadata are no links.
    if (!/^https?:\/\/(?:ns\.adobe\.com|www\.w3\.org|purl\.org|www\.aiim\.org|iptc\.org)\//i.test(link))
      links.add(link);
  }
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
