import {
  type Collector,
  createCollector,
  ImportError,
  type ImportOptions,
  type ImportResult,
} from './collector.ts';
import { readList } from './list.ts';
import { readLolrmm } from './lolrmm.ts';
import { readMisp } from './misp.ts';
import { readStalkerware } from './stalkerware.ts';
import { readStix } from './stix.ts';
import { readTable } from './table.ts';
import { parseYamlDocuments } from './yaml-documents.ts';

export const INDICATOR_FORMATS = ['stix', 'misp', 'csv', 'list', 'stalkerware', 'lolrmm'] as const;
export type IndicatorFormat = (typeof INDICATOR_FORMATS)[number];

const LIMIT_BYTES = 64 * 1024 * 1024;
/** Some tools sort the members of a bundle by name: its type is then at the end of the file. */
const STIX = /"type"\s*:\s*"bundle"|"(?:spec_version|pattern_type)"\s*:/;
/** A page that is served with status 200 in place of a list that has moved or requires a login. */
const WEB_PAGE = /^\s*<(?:!doctype|html|head|\?xml)\b/i;
/** Enough bytes to detect a format. */
const SNIFFED_BYTES = 64 * 1024;

/**
 * Detects the format of a file by its content, and by its name if the content is ambiguous. Undefined for
 * anything but text, such as an archive.
 */
export function detectFormat(filename: string, bytes: Uint8Array): IndicatorFormat | undefined {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const isWide = encodingOf(head) !== 'utf-8';
  if ((!isWide && head.includes(0)) || (head[0] === 0x1f && head[1] === 0x8b)) return undefined;
  const text = decode(head).trimStart();
  if (/^[{[]\s*["{[\]}]/.test(text)) return STIX.test(text) ? 'stix' : 'misp';
  if (/^Name:/m.test(text) && /^Category:/m.test(text)) return 'lolrmm';
  if (/^- name:/m.test(text) && /^ {2}type: (?:stalker|watch)ware/m.test(text)) return 'stalkerware';
  if (/\.(?:csv|tsv)$/i.test(filename)) return 'csv';
  const first = text.split(/\r\n?|\n/).find((line) => line.trim() !== '' && !line.startsWith('#'));
  return /^[^/]*[,;\t].*[,;\t]/.test(first ?? '') ? 'csv' : 'list';
}

/**
 * Reads indicators from a file of any known format. Pure, and bounded: at most 64 MiB and a million
 * indicators. Takes some microseconds per indicator without a break, so large files belong in a worker or a
 * tool.
 *
 * @throws ImportError when the file as a whole is not of that format
 */
export function importIndicators(
  bytes: Uint8Array,
  { format, ...options }: ImportOptions & { readonly format: IndicatorFormat },
): ImportResult {
  if (bytes.length > LIMIT_BYTES) throw new ImportError('a file may have at most 64 MiB');
  const collector = createCollector(options);
  const text = decode(bytes);
  if (WEB_PAGE.test(text)) throw new ImportError('this is a web page, not a list');
  READERS[format]({ text, collector, options });
  return collector.result();
}

interface ReaderInput {
  readonly text: string;
  readonly collector: Collector;
  readonly options: ImportOptions;
}

const READERS: Readonly<Record<IndicatorFormat, (input: ReaderInput) => void>> = {
  stix: ({ text, collector }) => readStix(parseJson(text), collector),
  misp: ({ text, collector }) => readMisp(parseJson(text), collector),
  csv: ({ text, collector, options }) => readTable(text, collector, options),
  list: ({ text, collector, options }) => readList(text, collector, options),
  stalkerware: ({ text, collector }) => readStalkerware(parseYamlDocuments(text), collector),
  lolrmm: ({ text, collector }) => readLolrmm(parseYamlDocuments(text), collector),
};

function decode(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** Spreadsheets write UTF-16 with a byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Reads one value, or one a line. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    if (lines.length > 1 && lines.every((line) => /^\s*\{.*\}\s*$/.test(line))) return lines.map(parseJson);
    // The parser's message quotes the content.
    throw new ImportError('this is not JSON');
  }
}
