import type { Finding } from '../judgement/finding.ts';
import type { Contents, Part } from './contents.ts';
import { fileFinding } from './file-finding.ts';
import { type Budget, isTimeUp } from './file-limits.ts';
import { decodeText, latin1 } from './file-type.ts';
import { linksIn } from './read-script.ts';
import { unpackNoting, WHY_UNREAD, type Zip } from './read-zip.ts';

/** What of OOXML (ECMA-376 part 1) and ODF holds no words of its author. Parts with words may have any name. */
const WORDLESS =
  /^(?:docProps|customXml|META-INF)\/|^\[Content_Types\]\.xml$|^(?:settings|meta)\.xml$|(?:^|\/)(?:theme|slideLayouts|slideMasters|notesMasters|handoutMasters)\/|^(?:word|xl|ppt)\/(?:styles|stylesWithEffects|settings|webSettings|fontTable|numbering|calcChain|tableStyles|presProps|viewProps)\.xml$/;
const SHEET = /^xl\/(?:work|chart|macro|dialog)sheets\//;
const RELATIONS = /\.rels$/;
const MACROS = /(?:^|\/)vbaProject\.bin$|^Basic\/.+\.xml$/i;
/** Pictures, fonts and settings: whatever else is in a document is a file within it. */
const ITS_OWN =
  /\/$|^mimetype$|\.(?:xml|rels|vml|png|jpe?g|gif|emf|wmf|wdp|bmp|ico|webp|tiff?|svg|fntdata|odttf|ttf)$|(?:^|\/)media\/[^/]+\.(?:wav|mp[34]|m4[av]|mov|wmv|avi)$|(?:printerSettings|customProperty)\d*\.bin$/i;
const MOST_READ = 600;
/** Of one part; a hundred thousand characters of words take two megabytes at most. */
const LONGEST_XML = 4 * 1024 * 1024;
/** More than is judged, so that it is seen that there are more. */
const MOST_LINKS = 400;
const MOST_CELLS = 50_000;
/** The longest way to write a character in XML. */
const LONGEST_ENTITY = 10;
const MOST_RTF_WORDS = 1024 * 1024;
/** Names of macros that run by themselves (Microsoft's documentation of Word, Excel and PowerPoint). */
const STARTS =
  /Auto_?(?:Open|Exec|Close|New)|Document_?(?:Open|Close)|Workbook_?(?:Open|Activate|BeforeClose)|DocumentChange/i;
/** Relations that are fetched when a document is opened; a hyperlink waits for a click. */
const FETCHED = /\/(?:attachedTemplate|oleObject|frame|subDocument)$/;
/** XML allows either quote, blanks around the sign, and a prefix before the name. */
const RELATION = /<(?:[\w.-]{1,32}:)?Relationship\s[^<>]{1,4096}>/g;
const ATTRIBUTE = /\b(Target|TargetMode|Type)\s{0,8}=\s{0,8}(?:"([^"]{0,2048})"|'([^']{0,2048})')/g;
const LINKED = /\bhref\s{0,8}=\s{0,8}(?:"(https?:[^"<>]{1,2048})"|'(https?:[^'<>]{1,2048})')/gi;
const CELL = /<t(?: [^<>]{0,64})?>([^<]*)/g;
const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Reads a document that is a zip archive of XML: OOXML or ODF. */
export function readOffice(zip: Zip, budget: Budget): Contents {
  const texts: string[] = [];
  const links: string[] = [];
  const unread = new Set<string>();
  const findings = new Map<string, Finding>();
  const note = (sign: Parameters<typeof fileFinding>[0]) => findings.set(sign, fileFinding(sign));
  const wanted = zip.entries.filter(
    ({ name }) => MACROS.test(name) || RELATIONS.test(name) || hasWords(name),
  );
  if (zip.hasMore || wanted.length > MOST_READ) unread.add(WHY_UNREAD.too_large);
  if (zip.disagrees) unread.add(WHY_UNREAD.disagrees);
  for (const entry of wanted.slice(0, MOST_READ)) {
    if (isTimeUp(budget)) {
      unread.add(WHY_UNREAD.time);
      break;
    }
    const bytes = unpackNoting(entry, budget, unread);
    if (MACROS.test(entry.name)) {
      note(STARTS.test(latin1(bytes)) ? 'macros_that_start' : 'macros');
      continue;
    }
    const xml = decodeText(bytes);
    const read = RELATIONS.test(entry.name) ? relationsOutside(xml) : readXml(xml, entry.name, budget);
    if (!read.isWhole) unread.add(WHY_UNREAD.too_large);
    if (read.isFetched) note('remote_template');
    texts.push(read.words);
    links.push(...read.links);
  }
  if (findings.has('macros_that_start')) findings.delete('macros');
  return {
    texts,
    links,
    findings: [...findings.values()],
    parts: filesWithin(zip, budget, unread),
    unread: () => [...unread][0],
  };
}

function hasWords(name: string): boolean {
  return name.endsWith('.xml') && !WORDLESS.test(name);
}

/** Reads an older Office document (MS-CFB), or an installer in the same container: by the names that stand in it. */
export function readOle(bytes: Uint8Array): Contents {
  const raw = latin1(bytes);
  const names = raw.replaceAll('\0', '');
  const hasMacros = names.includes('_VBA_PROJECT') || names.includes('Macros');
  const findings = hasMacros ? [fileFinding(STARTS.test(names) ? 'macros_that_start' : 'macros')] : [];
  return { findings, opaque: 'it is a document in a form of which only macros are looked for here' };
}

/** Reads rich text (RTF 1.9.1) by the control words that stand in it. */
export function readRtf(bytes: Uint8Array): Contents {
  const raw = latin1(bytes);
  const loads =
    /\\objdata/.test(raw) && /\\objupdate|\\objautlink|\\objclass\s*Equation|4571756174696f6e/i.test(raw);
  // Without groups for fonts, pictures and data it is near enough to what is shown.
  const shown = raw
    .slice(0, MOST_RTF_WORDS)
    .replace(/\\u(-?\d{1,5})(?: |\?|\\'[0-9a-f]{2})?/gi, (_, code: string) =>
      String.fromCharCode(Number(code) & 0xffff),
    )
    .replace(/\\'([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const words = shown
    .replace(/\{\\\*[^{}]*\}/g, ' ')
    .replace(/\\[a-z]{1,32}-?\d{0,10} ?|[{}]|[0-9a-f]{64,4096}/gi, ' ');
  return {
    texts: [words],
    // Those of fields stand in a group that is not shown.
    links: linksIn(shown),
    findings: loads ? [fileFinding('object_in_rtf')] : [],
    unread: () => (raw.length > MOST_RTF_WORDS ? 'it is too long to be read to its end' : undefined),
  };
}

interface ReadXml {
  readonly words: string;
  readonly links: readonly string[];
  readonly isWhole: boolean;
  /** Something is loaded from elsewhere as soon as the document is opened. */
  readonly isFetched?: boolean;
}

function relationsOutside(xml: string): ReadXml {
  const links: string[] = [];
  let isFetched = false;
  for (const [relation] of xml.matchAll(RELATION)) {
    const of = new Map<string, string>();
    for (const [, name = '', inDouble, inSingle] of relation.matchAll(ATTRIBUTE)) {
      of.set(name, withoutEntities(inDouble ?? inSingle ?? ''));
    }
    const target = of.get('Target') ?? '';
    if (of.get('TargetMode') !== 'External' || !/^https?:/i.test(target)) continue;
    if (links.length < MOST_LINKS) links.push(target);
    isFetched ||= FETCHED.test(of.get('Type') ?? '');
  }
  return { words: '', links, isWhole: true, isFetched };
}

/** In the sheets of a table formulas stand beside the words, and only their links are of interest. */
function readXml(whole: string, name: string, budget: Budget): ReadXml {
  const xml = whole.slice(0, LONGEST_XML);
  const links = matchesOf(LINKED, xml, MOST_LINKS).map(withoutEntities);
  const isWhole = xml.length === whole.length;
  if (!SHEET.test(name)) return { words: wordsOf(xml, budget), links, isWhole };
  const cells = matchesOf(CELL, xml, MOST_CELLS);
  return {
    words: withoutEntities(cells.join('\n')),
    links: [...links, ...linksIn(wordsOf(xml, budget))],
    isWhole: isWhole && cells.length < MOST_CELLS,
  };
}

/** What the groups of a pattern hold, up to so often. */
function matchesOf(pattern: RegExp, text: string, most: number): string[] {
  const found: string[] = [];
  for (const [, one, other] of text.matchAll(pattern)) {
    found.push(one ?? other ?? '');
    if (found.length === most) break;
  }
  return found;
}

/** The words, or more than are judged. */
function wordsOf(xml: string, { limits }: Budget): string {
  const words = xml.replace(/<\/(?:w:p|a:p|text:p|si|f|t)>/g, '\n').replace(/<[^<>]*>/g, '');
  return withoutEntities(words.slice(0, LONGEST_ENTITY * (limits.textCharacters + 1)));
}

function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos));/gi,
    (_, decimal, hex, name) => {
      if (name !== undefined) return NAMED_CHARACTERS[name.toLowerCase()] ?? '';
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

function* filesWithin(zip: Zip, budget: Budget, unread: Set<string>): Generator<Omit<Part, 'depth'>> {
  for (const entry of zip.entries) {
    if (ITS_OWN.test(entry.name) || MACROS.test(entry.name)) continue;
    yield { bytes: unpackNoting(entry, budget, unread), name: entry.name };
  }
}
