import type { Finding } from '../judgement/finding.ts';
import type { Contents, Part } from './contents.ts';
import { fileFinding } from './file-finding.ts';
import type { Budget } from './file-limits.ts';
import { decodeText, latin1 } from './file-type.ts';
import { unpackEntry, WHY_UNREAD, type Zip } from './read-zip.ts';

/** Where the words are: OOXML (ECMA-376 part 1) and ODF. */
const WORDS =
  /^(?:word\/(?:document|footnotes|comments|header\d?|footer\d?)\.xml|xl\/sharedStrings\.xml|ppt\/slides\/slide\d{1,3}\.xml|content\.xml)$/;
const RELATIONS = /\.rels$/;
const MACROS = /(?:^|\/)vbaProject\.bin$|^Basic\/.+\.xml$/i;
const EMBEDDED = /^(?:word|xl|ppt)\/embeddings\//;
const MOST_READ = 200;
const MOST_RTF_WORDS = 1024 * 1024;
/** Names of macros that run by themselves (Microsoft's documentation of Word, Excel and PowerPoint). */
const STARTS =
  /Auto_?(?:Open|Exec|Close|New)|Document_?(?:Open|Close)|Workbook_?(?:Open|Activate|BeforeClose)|DocumentChange/i;
/** Relations that are fetched when a document is opened; a hyperlink waits for a click. */
const FETCHED = /Type="[^"<>]{0,200}\/(?:attachedTemplate|oleObject|frame|subDocument)"/;

/** Reads a document that is a zip archive of XML: OOXML or ODF. */
export function readOffice(zip: Zip, budget: Budget): Contents {
  const texts: string[] = [];
  const links: string[] = [];
  const findings = new Map<string, Finding>();
  const note = (sign: Parameters<typeof fileFinding>[0]) => findings.set(sign, fileFinding(sign));
  const wanted = zip.entries.filter(
    ({ name }) => WORDS.test(name) || RELATIONS.test(name) || MACROS.test(name),
  );
  for (const { name } of wanted.slice(0, MOST_READ)) {
    const bytes = unpackEntry(zip, name, budget);
    if (bytes === undefined) continue;
    if (MACROS.test(name)) note(STARTS.test(latin1(bytes)) ? 'macros_that_start' : 'macros');
    else if (RELATIONS.test(name)) {
      const outside = relationsOutside(decodeText(bytes));
      links.push(...outside.links);
      if (outside.isFetched) note('remote_template');
    } else texts.push(wordsOf(decodeText(bytes)));
  }
  if (findings.has('macros_that_start')) findings.delete('macros');
  return {
    texts,
    links,
    findings: [...findings.values()],
    parts: embedded(zip, budget),
    unread: () =>
      budget.bytesLeft <= 0 || wanted.length > MOST_READ || zip.hasMore ? WHY_UNREAD.too_large : undefined,
  };
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
  const words = raw
    .slice(0, MOST_RTF_WORDS)
    .replace(/\{\\\*[^{}]*\}/g, ' ')
    .replace(/\\'[0-9a-f]{2}|\\[a-z]{1,32}-?\d{0,10} ?|[{}]|[0-9a-f]{64,4096}/gi, ' ');
  return { texts: [words], findings: loads ? [fileFinding('object_in_rtf')] : [] };
}

function relationsOutside(xml: string): { links: string[]; isFetched: boolean } {
  const links: string[] = [];
  let isFetched = false;
  for (const [relation] of xml.matchAll(/<Relationship [^<>]{1,4096}>/g)) {
    if (!relation.includes('TargetMode="External"')) continue;
    const target = /Target="(https?:[^"<>]{1,2048})"/i.exec(relation)?.[1];
    if (target === undefined) continue;
    links.push(target.replaceAll('&amp;', '&'));
    isFetched ||= FETCHED.test(relation);
  }
  return { links, isFetched };
}

function wordsOf(xml: string): string {
  return xml
    .replace(/<\/(?:w:p|a:p|text:p|si)>/g, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function* embedded(zip: Zip, budget: Budget): Generator<Omit<Part, 'depth'>> {
  for (const { name } of zip.entries) {
    if (!EMBEDDED.test(name)) continue;
    const bytes = unpackEntry(zip, name, budget);
    if (bytes !== undefined) yield { bytes, name };
  }
}
