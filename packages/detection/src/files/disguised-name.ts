import type { Finding } from '../finding.ts';
import { fileFinding } from './file-finding.ts';
import type { FileType } from './file-type.ts';

const PROGRAM =
  /^(?:exe|scr|pif|com|cpl|msi|msp|bat|cmd|ps1|vbs|vbe|js|jse|wsf|wsh|hta|lnk|jar|apk|app|dmg|pkg|reg|dll|sh|appimage|desktop|iso|img|vhdx?)$/;
const DOCUMENT =
  /^(?:pdf|docx?|xlsx?|pptx?|odt|ods|rtf|txt|csv|jpe?g|png|gif|bmp|webp|heic|tiff?|mp3|wav|m4a|mp4|mov|avi|mkv|html?)$/;
/** Document formats that are not zip archives themselves. A zip archive with such an extension is disguised. */
const NOT_AN_ARCHIVE = /^(?:pdf|rtf|txt|csv|jpe?g|png|gif|bmp|webp|tiff?|mp3|wav|mp4|mov|avi|mkv)$/;
const PAGE_ENDING = /^(?:x?html?|shtml?|svg|php|aspx?|eml|mht|txt|md)$/;
/**
 * The override that displays Latin letters from right to left (Unicode Standard Annex 9). Embeddings and
 * isolates do not, and occur in benign names: around the number in a messenger's chat exports, and in Arabic
 * and Hebrew names.
 */
const REVERSING = /\u202e/;
const PADDING = /\.[a-z0-9]{2,4}[\s\u00a0\u2000-\u200b\u3000_]{5,}\.[a-z0-9]{2,4}$/i;

/** Longer than any extension with the characters that may follow it. */
const MAX_END_LENGTH = 64;

/**
 * Returns the extension of a name in lower case, without its dot. Windows drops trailing dots, blanks and the
 * name of a stream.
 */
export function endingOf(name: string | undefined): string {
  const end = name?.slice(-MAX_END_LENGTH).replace(/::\$DATA\s*$/i, '');
  return /\.([^.\\/\s]{1,20})[\s.]*$/.exec(end ?? '')?.[1]?.toLowerCase() ?? '';
}

export function isProgramEnding(ending: string): boolean {
  return PROGRAM.test(ending);
}

/** Returns whether a browser opens a file with this extension as a page, regardless of its content. */
export function isPageEnding(ending: string): boolean {
  return /^(?:x?html?|shtml?|svg)$/.test(ending);
}

/** Returns the signs that a name contradicts the bytes or hides its extension. */
export function disguiseFindings(name: string | undefined, { kind, group }: FileType): Finding[] {
  if (name === undefined) return [];
  const findings: Finding[] = [];
  const ending = endingOf(name);
  const isDocumentName = DOCUMENT.test(ending);
  if (isDocumentName && (group === 'program' || group === 'shortcut')) {
    findings.push(fileFinding('program_as_document'));
  }
  if (isDocumentName && group === 'page' && !PAGE_ENDING.test(ending)) {
    findings.push(fileFinding('page_as_document'));
  }
  if (NOT_AN_ARCHIVE.test(ending) && group === 'archive' && kind !== 'tar') {
    findings.push(fileFinding('archive_as_document'));
  }
  if (REVERSING.test(name)) findings.push(fileFinding('reversed_name'));
  const before = endingOf(name.slice(0, name.toLowerCase().lastIndexOf(`.${ending}`)));
  if (PADDING.test(name) && isProgramEnding(ending)) findings.push(fileFinding('padded_name'));
  else if (isProgramEnding(ending) && DOCUMENT.test(before)) findings.push(fileFinding('double_extension'));
  return findings;
}
