import { parse } from 'csv-parse/sync';
import { isAddress, parseUrl } from '../canonical-value.ts';
import type { IndicatorType } from '../indicator.ts';
import { type Collector, ImportError, type ImportOptions } from './collector.ts';
import { readTypedValue } from './misp.ts';
import { refang } from './refang.ts';
import { plainName, typeOfName, typeOfValue, UNRECOGNIZED_TYPE, usualThreatType } from './value-type.ts';

/** Headers of columns with values of more than one type. */
const VALUES = ['indicator', 'ioc_value', 'ioc', 'value'];
const TYPES = ['type', 'ioc_type', 'indicator_type'];
const LABELS = ['app', 'malware_printable', 'malware', 'signature', 'name', 'brand', 'description', 'threat'];
const CONFIDENCES = ['confidence_level', 'confidence'];
/** In tables of MISP, rows without this mark are context. */
const FOR_DETECTION = ['to_ids'];
const MAX_RECORD_LENGTH = 64 * 1024;
/** How far into a file its header may be: in one of the last comments. */
const MAX_PREAMBLE_LENGTH = 64 * 1024;

/** The meaning of the columns, counted from 0. */
interface Columns {
  readonly value: number;
  readonly valueType: IndicatorType | undefined;
  readonly type: number;
  readonly label: number;
  readonly confidence: number;
  readonly forDetection: number;
}

/**
 * Reads a table with commas, semicolons or tabs, whose header may be in a comment, as in the files of
 * abuse.ch.
 */
export function readTable(written: string, collector: Collector, options: ImportOptions): void {
  const text = written.includes('\n') ? written : written.replaceAll('\r', '\n');
  const { comments, first } = preambleOf(text);
  const delimiter = delimiterOf(first);
  const byHeader = (row: readonly string[]) =>
    row.every(isName) ? columnsByHeader(row, options) : undefined;
  const announced: string[][] = [];
  for (const line of comments) eachRow(line, { delimiter, take: (row) => announced.push(row) });
  let columns = announced.map(byHeader).find((found) => found !== undefined);
  const take = (row: string[], number: number) => {
    if (number === 1 && columns === undefined) {
      columns = byHeader(row);
      if (columns !== undefined) return;
      columns = columnsWithoutHeader(row, options);
      if (columns === undefined)
        throw new ImportError('no column of indicators was recognized: name the column');
    }
    if (columns !== undefined) readRow(row, columns, { collector, where: `row ${number}`, options });
  };
  const skip = (number: number) => collector.skip(`row ${number}`, 'a quote in it is not closed');
  eachRow(text, { delimiter, take, skip });
}

function readRow(
  row: readonly string[],
  { value: at, valueType, type: typeAt, label, confidence, forDetection }: Columns,
  { collector, where, options }: { collector: Collector; where: string; options: ImportOptions },
): void {
  if (/^(?:0|false)$/i.test(row[forDetection] ?? '')) return;
  const statedType = row[typeAt];
  const typed = readTypedValue((statedType ?? '').toLowerCase(), row[at] ?? '');
  const value = refang(typed?.value ?? row[at] ?? '');
  // If the header of the values names their type, a column of types may contain types of threats.
  const guessed = valueType ?? (statedType === undefined ? typeOfValue(value) : undefined);
  const type = options.type ?? typed?.type ?? typeOfName(statedType ?? '') ?? guessed;
  if (type === undefined) {
    collector.skip(where, statedType === undefined ? UNRECOGNIZED_TYPE : 'its type is not supported');
    return;
  }
  const name = value.replace(/^\*?\./, '').replace(/^([\d.]+):\d+$/, '$1');
  collector.add({
    // Columns of domains occasionally contain a URL.
    ...(type === 'domain' && !/\/(?!\d+$)/.test(name)
      ? { type, value: name }
      : { type: type === 'domain' ? 'url' : type, value }),
    where,
    label: row[label],
    threatType: usualThreatType(type),
    confidence: confidenceOf(row[confidence]),
  });
}

/** Values have dots and slashes; a row with any is not a header. */
function isName(cell: string): boolean {
  return /^[\w :|#-]*$/.test(cell);
}

/** Sources write either 0.75 or 75. */
function confidenceOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,3}(?:\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Math.min(value > 1 ? value / 100 : value, 1);
}

function columnsByHeader(header: readonly string[], { column }: ImportOptions): Columns | undefined {
  const names = header.map(plainName);
  const find = (wanted: readonly string[]) => {
    const name = wanted.find((each) => names.includes(each));
    return name === undefined ? -1 : names.indexOf(name);
  };
  const typed = names.findIndex((name) => typeOfName(name) !== undefined);
  const types = find(TYPES);
  // Beside a column of one type and without a column of types, `ioc` is a description.
  const mixed = typed >= 0 && types < 0 ? -1 : find(VALUES);
  const value = column === undefined ? (mixed >= 0 ? mixed : typed) : indexOf(column, names);
  if (value < 0 || (typed < 0 && mixed < 0 && typeof column !== 'string')) return undefined;
  return {
    value,
    valueType: typeOfName(names[value] ?? ''),
    type: types,
    label: find(LABELS),
    confidence: find(CONFIDENCES),
    forDetection: find(FOR_DETECTION),
  };
}

function indexOf(column: string | number, names: readonly string[]): number {
  return typeof column === 'number' ? column - 1 : names.indexOf(plainName(column));
}

/** Without a header, the first cell of the first row that has the form of an indicator names the column. */
function columnsWithoutHeader(row: readonly string[], { column }: ImportOptions): Columns | undefined {
  const value = typeof column === 'number' ? column - 1 : row.findIndex((cell) => isIndicator(refang(cell)));
  if (value < 0 || typeof column === 'string') return undefined;
  return { value, valueType: undefined, type: -1, label: -1, confidence: -1, forDetection: -1 };
}

/** Dates and versions have dots too, so a name has to end in a top-level domain. */
function isIndicator(cell: string): boolean {
  const type = typeOfValue(cell);
  if (type === 'sha256') return true;
  const host = type === undefined || /\s/.test(cell) ? undefined : parseUrl(cell)?.host;
  if (host === undefined || !host.includes('.')) return false;
  return isAddress(host) ? /^(?:https?:\/\/)?\d+(?:\.\d+){3}(?:[:/]|$)/.test(cell) : type !== undefined;
}

function preambleOf(text: string): { readonly comments: readonly string[]; readonly first: string } {
  const lines = text.slice(0, MAX_PREAMBLE_LENGTH).split(/\r?\n/);
  const at = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  const comments = lines
    .slice(0, Math.max(at, 0))
    .filter((line) => line.startsWith('#'))
    .slice(-3);
  return { comments: comments.map((line) => line.replace(/^#+\s*/, '')), first: lines[at] ?? '' };
}

function delimiterOf(line: string): string {
  const counts = [',', ';', '\t'].map((each) => [each, line.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

interface RowReader {
  readonly delimiter: string;
  readonly take: (row: string[], number: number) => void;
  /** Receives the number of a row that cannot be read. */
  readonly skip?: (number: number) => void;
}

/**
 * Passes the rows one by one, counted from 1: all of them at once would take ten times the memory of the
 * file. Rows of a table with a broken quote are read line by line, so that one row does not hide the others.
 */
function eachRow(text: string, { delimiter, take, skip = () => undefined }: RowReader): void {
  if (!text.includes('"') || isTable(text, delimiter)) {
    parseRows(text, delimiter, take);
    return;
  }
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    number += 1;
    if (isTable(line, delimiter)) parseRows(line, delimiter, (row) => take(row, number));
    else skip(number);
  }
}

function isTable(text: string, delimiter: string): boolean {
  try {
    parseRows(text, delimiter, () => undefined);
    return true;
  } catch (error) {
    if (error instanceof ImportError) return false;
    throw error;
  }
}

function parseRows(text: string, delimiter: string, take: (row: string[], number: number) => void): void {
  let number = 0;
  try {
    parse(text, {
      bom: true,
      comment: '#',
      // The fragment of a URL is not a comment.
      comment_no_infix: true,
      delimiter,
      max_record_size: MAX_RECORD_LENGTH,
      on_record: (row: string[]) => {
        number += 1;
        take(row, number);
        return null;
      },
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    // The parser's message quotes the content.
    throw new ImportError('this is not a table: a quote is not closed, or a row is too long');
  }
}
