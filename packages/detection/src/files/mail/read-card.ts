import { extractLinks } from '../extract-links.ts';
import type { Contents, FilePart } from '../file-contents.ts';
import { fileTypeOf } from '../file-type.ts';
import { fileOfDataUrl } from '../page/data-address.ts';

const BEGINS = /^\s*BEGIN:(?:VCALENDAR|VCARD|VEVENT|VTODO)\s/i;
/** Properties with text that one person writes to another. */
const WORDED =
  /^(?:[\w-]{1,40}\.)?(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|CONTACT|NOTE|FN|ORG|TITLE|ROLE|NICKNAME|URL|CONFERENCE|NAME|STYLED-DESCRIPTION)$/i;
const QUOTED_PRINTABLE = /;(?:ENCODING=)?QUOTED-PRINTABLE/i;
const BASE64 = /;(?:ENCODING=)?(?:BASE64|B)(?:;|$)/i;
const FILE_NAME = /;(?:X-)?FILENAME="?([^";:]{1,255})/i;
const PAGE = /;FMTTYPE="?text\/html/i;
const MAX_CARD_LENGTH = 2 * 1024 * 1024;
const MAX_LINES = 20_000;
const MAX_FILES = 50;

interface Property {
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

/** Returns whether a text is an invitation or a contact card. */
export function isCard(text: string): boolean {
  return BEGINS.test(text.slice(0, 256));
}

/** Reads invitations (RFC 5545) and contact cards (RFC 6350 and earlier): their words, links and files. */
export function readCard(text: string): Contents {
  const lines = unfold(text.slice(0, MAX_CARD_LENGTH));
  const properties = lines.slice(0, MAX_LINES).flatMap(toProperty);
  const files = properties.flatMap(filesOf);
  const words = properties.filter(({ name, parameters }) => WORDED.test(name) && !PAGE.test(parameters));
  return {
    texts: [words.map(({ value }) => value).join('\n')],
    links: properties.flatMap(({ value }) => extractLinks(value)),
    parts: files.slice(0, MAX_FILES),
    unread: () =>
      text.length > MAX_CARD_LENGTH || lines.length > MAX_LINES || files.length > MAX_FILES
        ? 'it contains more than is read of an invitation or a contact card'
        : undefined,
  };
}

/** Long lines are folded, and so are the URLs in them (RFC 5545, section 3.1). */
function unfold(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const last = lines.at(-1) ?? '';
    if (last.endsWith('=') && QUOTED_PRINTABLE.test(last.slice(0, 200))) {
      lines[lines.length - 1] = last.slice(0, -1) + line;
    } else lines.push(line);
  }
  return lines;
}

function toProperty(line: string): Property[] {
  const [head] = /^(?:[^":]+|"[^"]*")*/.exec(line) ?? [''];
  if (head.length === line.length) return [];
  const [name = ''] = head.split(';', 1);
  const parameters = head.slice(name.length);
  return [{ name, parameters, value: unescaped(line.slice(head.length + 1), parameters) }];
}

function unescaped(value: string, parameters: string): string {
  if (BASE64.test(parameters)) return value;
  if (!QUOTED_PRINTABLE.test(parameters)) {
    return value.replace(/\\([nN,;\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped));
  }
  const bytes = value.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Returns the attached files, without the picture of a person. */
function filesOf({ parameters, value }: Property): Omit<FilePart, 'depth'>[] {
  if (PAGE.test(parameters)) return [{ bytes: Buffer.from(value), name: 'a.html' }];
  const file = BASE64.test(parameters)
    ? { bytes: Buffer.from(value, 'base64'), name: FILE_NAME.exec(parameters)?.[1] }
    : fileOfDataUrl(value);
  return file && fileTypeOf(file.bytes).group !== 'picture' ? [file] : [];
}
