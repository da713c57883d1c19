import { readApk } from './app/read-apk.ts';
import { readGzip } from './archive/read-gzip.ts';
import { readIso } from './archive/read-iso.ts';
import { readTar } from './archive/read-tar.ts';
import { openZip, readZip } from './archive/read-zip.ts';
import { disguiseFindings, endingOf, isPageEnding } from './disguised-name.ts';
import { isEicarTestFile } from './eicar.ts';
import { addClause, addContents, addFinding, addHash, type FileAnalysis } from './file-analysis.ts';
import type { Contents, FilePart } from './file-contents.ts';
import { fileFinding } from './file-finding.ts';
import { type Budget, isTimeUp } from './file-limits.ts';
import { decodeText, type FileType, fileTypeOf } from './file-type.ts';
import { readMail } from './mail/read-mail.ts';
import { readMedia } from './media/read-media.ts';
import type { TrustList } from './media/trust-list.ts';
import { readOffice } from './office/read-office.ts';
import { readOle } from './office/read-ole.ts';
import { readRtf } from './office/read-rtf.ts';
import { readDrawing, readPage } from './page/read-html.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { readPolyglot } from './polyglot.ts';
import { isLauncherName, readLauncher } from './program/read-launcher.ts';
import { isScriptName, readScript } from './program/read-script.ts';
import { readShortcut } from './program/read-shortcut.ts';
import { readPlainText } from './read-plain-text.ts';
import { UNREAD_REASONS } from './unread-reasons.ts';

export interface ReadContext {
  readonly results: FileAnalysis;
  readonly budget: Budget;
  readonly trust: TrustList;
  /** Whether the file was submitted as media: a picture, a sound or a film. */
  readonly isMedia: boolean;
}

const ASN1_SEQUENCE = 0x30;
const NOT_MEDIA = 'it is not a picture, a sound or a film, so its origin was not checked';

/** Reads a file by its bytes, and the files inside it, within the rest of the budget. */
export async function readPart(part: FilePart, context: ReadContext): Promise<void> {
  const { results, budget } = context;
  if (part.bytes.length === 0) return;
  const sha256 = addHash(part.bytes, results);
  if (isEicarTestFile(part.bytes)) {
    addFinding(fileFinding('eicar_test_file'), results);
    return;
  }
  const type = fileTypeOf(part.bytes);
  if (part.depth === 0 && context.isMedia && !isMedia(type)) addClause(results.gaps, NOT_MEDIA);
  for (const finding of disguiseFindings(part.name, type)) addFinding(finding, results);
  await addResults(await readContents(part, type, sha256, context), part.depth, context);
  for (const contents of readPolyglot(part, type, budget)) await addResults(contents, part.depth, context);
}

async function addResults(contents: Contents, depth: number, context: ReadContext): Promise<void> {
  const { results, budget } = context;
  const about = (clause: string) => (depth > 0 ? nameInnerFile(clause) : clause);
  const { opaque, isIncidental, ...read } = contents;
  const isGap = opaque !== undefined && !(isIncidental && depth > 0 && results.hasText);
  addContents(isGap ? { ...read, opaque: about(opaque) } : read, results);
  for (const inner of contents.parts ?? []) {
    if (depth >= budget.limits.depth)
      addClause(results.gaps, 'it contains files that are nested too deeply to be read');
    else if (isTimeUp(budget)) addClause(results.gaps, UNREAD_REASONS.time);
    else {
      await readPart({ ...inner, depth: depth + 1 }, context);
      continue;
    }
    break;
  }
  const unread = contents.unread?.();
  if (unread !== undefined) addClause(results.gaps, about(unread));
}

/** Makes a clause about a file one about a file inside it. */
function nameInnerFile(clause: string): string {
  return clause
    .replace(/^it /, 'a file in it ')
    .replace(/^its (content credentials|[a-z]+)/, 'the $1 of a file in it');
}

async function readContents(
  part: FilePart,
  type: FileType,
  sha256: string,
  context: ReadContext,
): Promise<Contents> {
  const { bytes, name } = part;
  const { budget, trust } = context;
  switch (type.kind) {
    case 'zip':
      return readAnyZip(part, sha256, budget);
    case 'gzip':
      return readGzip(bytes, name, budget);
    case 'tar':
      return readTar(bytes, budget);
    case 'finder':
      // Programs do not open it by itself.
      return {};
    case 'iso':
      return readIso(bytes, budget);
    case 'pdf':
      return readPdf(bytes, budget);
    case 'ole':
      return readOle(bytes);
    case 'rtf':
      return readRtf(bytes);
    case 'lnk':
      return readShortcut(bytes);
    case 'eml':
      return readMail(bytes, name, budget);
    case 'svg':
      return readDrawing(bytes, budget);
    case 'html':
      // An HTML application runs like a program.
      return endingOf(name) === 'hta' ? readScript(decodeText(bytes)) : readPage(bytes, budget);
    case 'text':
    case 'shell':
      return readText(part, type, budget);
  }
  if (isMedia(type)) return { ...(await readMedia(bytes, trust)), isIncidental: type.group === 'picture' };
  return { opaque: opaqueReasonOf(type), isIncidental: isSignature(part) };
}

/** Returns whether a file is a signature of a mail (RFC 8551, section 3.2.1): a sequence in ASN.1. */
function isSignature({ bytes, name }: FilePart): boolean {
  return endingOf(name) === 'p7s' && bytes[0] === ASN1_SEQUENCE;
}

function isMedia({ group }: FileType): boolean {
  return group === 'picture' || group === 'sound' || group === 'film';
}

const OPAQUE: Record<FileType['group'], string> = {
  program: 'it is a program, and only its hash is looked up',
  archive: 'it is an archive in an unsupported format',
  document: 'it is a document in an unsupported format',
  page: 'it is a page in an unsupported format',
  mail: 'it is a mail in an unsupported format',
  shortcut: 'it is a shortcut in an unsupported format',
  picture: 'it is a picture',
  sound: 'it is a sound',
  film: 'it is a film',
  text: 'it is a text in an unsupported format',
  unknown: 'its format is unknown',
};

/** Common names of the formats that are recognized but not read. */
const NAMES: Readonly<Record<string, string>> = {
  '7z': 'a 7z archive',
  rar: 'a RAR archive',
  xz: 'an xz archive',
  bzip2: 'a bzip2 archive',
  zstd: 'a Zstandard archive',
  cab: 'a CAB archive',
  ace: 'an ACE archive',
  arj: 'an ARJ archive',
  lzh: 'an LZH archive',
  wim: 'a disc image (WIM)',
  vhd: 'a disc image (VHD)',
  vhdx: 'a disc image (VHDX)',
  udf: 'a disc image (UDF)',
  onenote: 'a OneNote document',
  tnef: 'a mail of Outlook (winmail.dat)',
  pst: 'a store of mails of Outlook',
  chm: 'a help file (CHM)',
};

function opaqueReasonOf({ kind, group }: FileType): string {
  const name = NAMES[kind];
  return name === undefined ? OPAQUE[group] : `it is ${name}, which is an unsupported format`;
}

function readAnyZip({ bytes }: FilePart, sha256: string, budget: Budget): Contents {
  const zip = openZip(bytes, budget);
  if (zip === undefined) return { opaque: 'it is a damaged archive' };
  switch (zip.kind) {
    case 'apk':
      return readApk(zip, sha256, budget);
    case 'ooxml':
    case 'odf':
      return readOffice(zip, budget);
    case 'jar':
      return { opaque: OPAQUE.program };
    case 'zip':
      return readZip(zip, budget);
  }
}

/** A file that begins like any text is opened by its name. */
function readText(
  { bytes, name }: FilePart,
  { kind }: FileType,
  budget: Budget,
): Contents | Promise<Contents> {
  if (kind === 'shell' || isScriptName(name)) return readScript(decodeText(bytes));
  if (isLauncherName(name)) return readLauncher(decodeText(bytes), name);
  if (isPageEnding(endingOf(name))) return readPage(bytes, budget);
  return endingOf(name) === 'eml' ? readMail(bytes, name, budget) : readPlainText(decodeText(bytes), name);
}
