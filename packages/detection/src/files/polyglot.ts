import { openZip, readZip } from './archive/read-zip.ts';
import { endingOf, isPageEnding } from './disguised-name.ts';
import type { Contents, FilePart } from './file-contents.ts';
import { fileFinding } from './file-finding.ts';
import type { Budget } from './file-limits.ts';
import { decodeText, type FileType } from './file-type.ts';
import { readPage } from './page/read-html.ts';
import { isLauncherName, readLauncher } from './program/read-launcher.ts';
import { isScriptName, readScript } from './program/read-script.ts';

/**
 * Formats that never contain a plain zip archive; others, such as installers, mail stores or notebooks, may.
 */
const HIDES_ARCHIVE: ReadonlySet<string> = new Set([
  'text',
  'page',
  'picture',
  'sound',
  'film',
  'pdf',
  'rtf',
  'eml',
]);
/** Formats that begin with words, after which browsers and script hosts find their own content. */
const WORDED: ReadonlySet<FileType['group']> = new Set(['document', 'mail', 'page']);
const ARCHIVE_ENDING = /^(?:zipx?|rar|7z|ace|arj|lzh|cab|iso|img|udf|wim|vhdx?|dmg|tar|tgz|t?gz|xz|bz2|zst)$/;

/**
 * Reads what other programs see in a file, beside the format that its first bytes belong to: archives are
 * read from their end, and browsers and script hosts go by the name.
 */
export function readPolyglot({ bytes, name }: FilePart, type: FileType, budget: Budget): Contents[] {
  const found: Contents[] = [];
  const ending = endingOf(name);
  if (ARCHIVE_ENDING.test(ending) && (WORDED.has(type.group) || type.group === 'text')) {
    found.push({ opaque: 'it has the extension of an archive but other content' });
  }
  if (WORDED.has(type.group)) {
    if (isScriptName(name) && ending !== 'hta') found.push(readScript(decodeText(bytes)));
    if (isLauncherName(name)) found.push(readLauncher(decodeText(bytes), name));
    if (isPageEnding(ending) && type.group !== 'page') found.push(readPage(bytes, budget));
  }
  const zip = type.group === 'archive' ? undefined : openZip(bytes, budget);
  if (zip?.entries.some(({ isThere }) => isThere)) {
    const contents = readZip(zip, budget);
    const isHidden = HIDES_ARCHIVE.has(type.group) || HIDES_ARCHIVE.has(type.kind);
    found.push(
      isHidden
        ? { ...contents, findings: [...(contents.findings ?? []), fileFinding('hidden_archive')] }
        : contents,
    );
  }
  return found;
}
