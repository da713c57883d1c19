import { unpackAndNote, type Zip } from '../archive/read-zip.ts';
import type { ZipEntry } from '../archive/zip-directory.ts';
import { extractLinks } from '../extract-links.ts';
import type { Contents, FilePart } from '../file-contents.ts';
import { fileFinding, type SignName } from '../file-finding.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { decodeText, fileTypeOf, latin1 } from '../file-type.ts';
import { UNREAD_REASONS } from '../unread-reasons.ts';
import { MACROS_UNREAD, runsOnOpen } from './macros.ts';
import { readExternalRelations } from './office-relations.ts';
import { readShownLinks, type ShownLink, signsOfShown } from './shown-links.ts';
import { decodeEntities } from './xml-entities.ts';

/**
 * Parts of OOXML (ECMA-376 part 1) and ODF without words of the author. Parts with words may have any name.
 */
const WORDLESS =
  /^(?:docProps|customXml(?!\/item\d*\.xml$)|META-INF)\/|^\[Content_Types\]\.xml$|^(?:settings|meta)\.xml$|(?:^|\/)(?:theme|slideLayouts|slideMasters|notesMasters|handoutMasters)\/|^(?:word|xl|ppt)\/(?:styles|stylesWithEffects|settings|webSettings|fontTable|numbering|calcChain|tableStyles|presProps|viewProps)\.xml$/i;
const SHEET = /^xl\/(?:work|chart|macro|dialog)sheets\//i;
const RELATIONS = /\.rels$/i;
/** `word/_rels/document.xml.rels` holds the relations of `word/document.xml`. */
const RELATIONS_OF = /^(.*\/)?_rels\/([^/]*)\.rels$/i;
/** Documents without macros contain lists of libraries too. */
const MACROS = /(?:^|\/)vbaProject\.bin$|^Basic\/(?!(?:.+\/)?(?:script|dialog)-l[bc]\.xml$).+\.xml$/i;
/** Excel macros from before 1993, which Excel still runs, are in separate sheets. */
const MACRO_SHEET = /^xl\/(?:intl)?macrosheets\//i;
/** Displayed if a document refers to it. */
const CUSTOM = /^customXml\/item\d*\.xml$/i;
const SHOWS_CUSTOM = /<(?:[\w.-]{1,32}:)?dataBinding\b/;
/**
 * Another program is asked for data, and can be made to run anything (ECMA-376 part 1, 17.16.5.16 and
 * 18.14.4; ODF 1.2, 14.6).
 */
const COMMAND =
  /\bddeService\s*=|<(?:text|table|office):dde-(?:source|connection-decl)\b|ppaction:\/\/program|\binstr\s*=\s*["'][^"'<>]{0,64}\bDDE/i;
const COMMAND_FIELD = /\bDDE(?:AUTO)?\s+["\w\\]/i;
const PICTURE = /\.(?:png|jpe?g|gif|bmp|ico|webp|tiff?|emf|wmf|wdp|fntdata|odttf|ttf)$/i;
const HEAD_BYTES = 4096;
const DISGUISED: ReadonlySet<string> = new Set([
  'program',
  'archive',
  'document',
  'page',
  'mail',
  'shortcut',
  'text',
]);
/** Pictures, fonts and settings: any other part of a document is a file inside it. */
const OWN_PART =
  /\/$|^mimetype$|\.(?:xml|rels|vml|png|jpe?g|gif|emf|wmf|wdp|bmp|ico|webp|tiff?|svg|fntdata|odttf|ttf)$|(?:^|\/)media\/[^/]+\.(?:wav|mp[34]|m4[av]|mov|wmv|avi)$|(?:printerSettings|customProperty)\d*\.bin$/i;
const MAX_READ = 600;
/** Of one part; a hundred thousand characters of words take two megabytes at most. */
const MAX_XML_LENGTH = 4 * 1024 * 1024;
/** More than are analyzed, so that a surplus is noticed. */
const MAX_LINKS = 400;
const MAX_CELLS = 50_000;
/** A presentation of sixty pages is analyzed in so many groups. */
const MAX_TEXTS = 20;
/** A part of OpenDocument files that states which parts are encrypted (ODF 1.2 part 3, section 3.4.1). */
const LIST_OF_FILES = 'META-INF/manifest.xml';
const WORKBOOK = /^xl\/workbook\./i;
/** The longest character reference in XML. */
const MAX_ENTITY_LENGTH = 10;
const LINKED = /\bhref\s{0,8}=\s{0,8}(?:"(https?:[^"<>]{1,2048})"|'(https?:[^'<>]{1,2048})')/gi;
const CELL = /<(?:[\w.-]{1,32}:)?t(?:\s[^<>]{0,64})?>([^<]*)/g;

/** Reads a document that is a zip archive of XML: OOXML or ODF. */
export function readOffice(zip: Zip, budget: Budget): Contents {
  const read = createResults(zip);
  const wanted = zip.entries.filter(({ name }) => isRead(name));
  if (zip.hasMore || wanted.length > MAX_READ) read.unread.add(UNREAD_REASONS.too_large);
  if (zip.disagrees) read.unread.add(UNREAD_REASONS.disagrees);
  for (const entry of wanted.slice(0, MAX_READ)) {
    if (isTimeUp(budget)) {
      read.unread.add(UNREAD_REASONS.time);
      break;
    }
    readEntry(entry.name, unpackAndNote(entry, budget, read.unread), read, budget);
  }
  for (const [part, links] of read.shown)
    for (const sign of signsOfShown(links, read.targets.get(part) ?? new Map())) read.signs.add(sign);
  if (read.showsCustom) read.texts.push(...read.custom);
  if (read.signs.has('macros_that_start')) read.signs.delete('macros');
  if (read.signs.has('macros')) read.unread.add(MACROS_UNREAD);
  return {
    texts: inGroups(read.texts),
    links: read.links,
    findings: [...read.signs].map(fileFinding),
    parts: filesWithin(zip, budget, read.unread),
    unread: () => [...read.unread][0],
  };
}

interface OfficeResults {
  readonly texts: string[];
  readonly custom: string[];
  readonly links: string[];
  /** What the links of each part display, and the targets of its relations, by the name of the part. */
  readonly shown: Map<string, readonly ShownLink[]>;
  readonly targets: Map<string, ReadonlyMap<string, string>>;
  readonly signs: Set<SignName>;
  readonly unread: Set<string>;
  readonly hasMacroSheet: boolean;
  showsCustom: boolean;
}

function createResults({ entries }: Zip): OfficeResults {
  const hasMacroSheet = entries.some(({ name }) => MACRO_SHEET.test(name));
  return {
    texts: [],
    custom: [],
    links: [],
    shown: new Map(),
    targets: new Map(),
    signs: new Set(hasMacroSheet ? ['macros'] : []),
    unread: new Set(),
    hasMacroSheet,
    showsCustom: false,
  };
}

function isRead(name: string): boolean {
  return (
    name === LIST_OF_FILES || MACROS.test(name) || RELATIONS.test(name) || CUSTOM.test(name) || hasWords(name)
  );
}

/** Names of parts are case-insensitive (ECMA-376 part 2, section 9.1.1.1.2). */
function hasWords(name: string): boolean {
  return /\.(?:xml|vml)$/i.test(name) && !WORDLESS.test(name);
}

function readEntry(name: string, bytes: Uint8Array, read: OfficeResults, budget: Budget): void {
  if (MACROS.test(name)) {
    read.signs.add(runsOnOpen(latin1(bytes)) ? 'macros_that_start' : 'macros');
    return;
  }
  const xml = decodeText(bytes);
  if (name === LIST_OF_FILES) {
    if (/encryption-data\b/.test(xml)) read.unread.add(UNREAD_REASONS.locked);
    return;
  }
  if (RELATIONS.test(name)) {
    const { links, targets, isFetched, hasCommand } = readExternalRelations(xml);
    read.links.push(...links);
    read.targets.set(name.replace(RELATIONS_OF, '$1$2'), targets);
    if (hasCommand) read.signs.add('command_in_document');
    if (isFetched) read.signs.add('remote_template');
    return;
  }
  const { words, links, isWhole, hasCommand } = readXml(xml, name, budget);
  read.shown.set(name, readShownLinks(xml.slice(0, MAX_XML_LENGTH)));
  if (!isWhole) read.unread.add(UNREAD_REASONS.too_large);
  if (hasCommand) read.signs.add('command_in_document');
  if (read.hasMacroSheet && WORKBOOK.test(name) && runsOnOpen(xml)) read.signs.add('macros_that_start');
  read.showsCustom ||= SHOWS_CUSTOM.test(xml);
  (CUSTOM.test(name) ? read.custom : read.texts).push(words);
  read.links.push(...links);
}

function inGroups(texts: readonly string[]): string[] {
  const size = Math.ceil(texts.length / MAX_TEXTS);
  return size <= 1
    ? [...texts]
    : texts.flatMap((_, at) => (at % size === 0 ? [texts.slice(at, at + size).join('\n')] : []));
}

interface ReadXml {
  readonly words: string;
  readonly links: readonly string[];
  readonly isWhole: boolean;
  /** Another program is started. */
  readonly hasCommand: boolean;
}

/** A sheet of a table mixes formulas with words; of formulas only the links count. */
function readXml(whole: string, name: string, budget: Budget): ReadXml {
  const xml = whole.slice(0, MAX_XML_LENGTH).replace(/<!\[CDATA\[|\]\]>/g, '');
  const links = matchesOf(LINKED, xml, MAX_LINKS).map(decodeEntities);
  const isWhole = whole.length <= MAX_XML_LENGTH;
  const words = wordsOf(xml, budget);
  const hasField = /instrText\b/.test(xml) && COMMAND_FIELD.test(words);
  const hasCommand = hasField || COMMAND.test(xml);
  if (!SHEET.test(name)) return { words, links, isWhole, hasCommand };
  const cells = matchesOf(CELL, xml, MAX_CELLS);
  return {
    words: decodeEntities(cells.join('\n')),
    links: [...links, ...extractLinks(words)],
    isWhole: isWhole && cells.length < MAX_CELLS,
    hasCommand,
  };
}

/** Returns the groups of a pattern's matches, up to a number. */
function matchesOf(pattern: RegExp, text: string, max: number): string[] {
  const found: string[] = [];
  for (const [, one, other] of text.matchAll(pattern)) {
    found.push(one ?? other ?? '');
    if (found.length === max) break;
  }
  return found;
}

/** Returns the words, or more than are analyzed. */
function wordsOf(xml: string, { limits }: Budget): string {
  const words = xml.replace(/<\/(?:w:p|a:p|text:p|si|f|t)>/g, '\n').replace(/<[^<>]*>/g, '');
  return decodeEntities(words.slice(0, MAX_ENTITY_LENGTH * (limits.textCharacters + 1)));
}

function* filesWithin(zip: Zip, budget: Budget, unread: Set<string>): Generator<Omit<FilePart, 'depth'>> {
  for (const entry of zip.entries) {
    if (MACROS.test(entry.name) || (OWN_PART.test(entry.name) && !isDisguised(entry, budget))) continue;
    yield { bytes: unpackAndNote(entry, budget, unread), name: entry.name };
  }
}

/** Returns whether another type of file has the name of a picture or a font, by its first bytes. */
function isDisguised({ name, ...entry }: ZipEntry, budget: Budget): boolean {
  if (!PICTURE.test(name)) return false;
  const packed = entry.packed.subarray(0, HEAD_BYTES);
  const head = unpackAndNote({ ...entry, name, packed }, { ...budget, bytesLeft: HEAD_BYTES }, new Set());
  return DISGUISED.has(fileTypeOf(head).group);
}
