import PostalMime from 'postal-mime';
import { registeredDomain } from '../../indicators/canonical-value.ts';
import { endingOf } from '../disguised-name.ts';
import type { Contents, FilePart } from '../file-contents.ts';
import type { Budget } from '../file-limits.ts';
import { latin1 } from '../file-type.ts';
import { readHtml, SCRIPT_UNREAD } from '../page/read-html.ts';
import { unreadReasonOf } from '../read-plain-text.ts';

/** A line costs the parser up to 13 µs, a part some 40 µs: this is a mail of 7 MB, and 1.3 s at worst. */
const MAX_LINES = 100_000;
const MAX_BOUNDARIES = 3000;
const LINE_FEED = 0x0a;
const HYPHEN = 0x2d;
/** RFC 2046 sets no limit; real mails nest less than ten deep. */
const MAX_MULTIPART_DEPTH = 20;
/** A longer text is not analyzed to its end. */
const COMPARED = 100_000;
const HEADERS_BYTES = 256 * 1024;
/** The extensions that a mail program appends to an unnamed part. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['message/rfc822', 'eml'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['image/svg+xml', 'svg'],
]);
const CHARACTER_SET =
  /^content-type:[^\r\n]{0,998}(?:\r?\n[ \t][^\r\n]{0,998}){0,8}?\bcharset\s{0,8}=\s{0,8}["']?([\w:.-]{1,40})/gim;
/** Fields that occur once, in the headers of the whole mail. */
const STRUCTURE = /^(?:content-type|content-transfer-encoding):|\bboundary\s{0,8}=/gim;
const ELSEWHERE = /^content-type:\s{0,8}message\/(?:partial|external-body)/im;
/** A page with its resources in the form of a mail: browsers open it (RFC 2557). */
const ARCHIVED_PAGE = /^mht(?:ml)?$/;
/** RFC 4155: a line between two mails. */
const NEXT_MAIL = /\n\r?\nFrom \S[^\r\n]{0,200}\r?\n[A-Za-z][A-Za-z0-9-]{0,60}:/;

/**
 * Reads a mail (RFC 5322, MIME): its words, links and attachments, and whether its senders agree. Never
 * throws.
 */
export async function readMail(
  bytes: Uint8Array,
  name: string | undefined,
  budget: Budget,
): Promise<Contents> {
  if (isTooLong(bytes)) {
    return { unread: () => 'the mail is too long to be read' };
  }
  try {
    const mail = await PostalMime.parse(bytes, {
      maxNestingDepth: MAX_MULTIPART_DEPTH,
      maxHeadersSize: HEADERS_BYTES,
      // Nested mails are opened as files, within the same limits.
      rfc822Attachments: true,
    });
    const page = mail.html === undefined ? undefined : readHtml(mail.html, budget);
    const attachments = mail.attachments.slice(0, Math.max(0, budget.entriesLeft));
    budget.entriesLeft -= attachments.length;
    const from = mail.from?.address;
    return {
      texts: textsOf(mail.subject, mail.text, page?.text),
      links: page?.links ?? [],
      pictures: page?.pictures ?? [],
      findings: page?.findings ?? [],
      reasons: [
        ...senderReasons(from, mail.replyTo?.[0]?.address, mail.returnPath),
        ...(page?.reasons ?? []),
      ],
      parts: [...attachments.map(toPart), ...(page?.parts ?? [])],
      unread: () =>
        attachments.length < mail.attachments.length
          ? 'it contains more attachments than are opened'
          : (page?.unread?.() ??
            (page?.runsScript && ARCHIVED_PAGE.test(endingOf(name)) ? SCRIPT_UNREAD : undefined) ??
            unreadReasonOf(mail.text ?? '') ??
            unreadInMail(latin1(bytes))),
      ...(from !== undefined && from !== '' && { sender: from.slice(0, 320) }),
    };
  } catch {
    return { unread: () => 'it is a damaged or too deeply nested mail' };
  }
}

/**
 * The reader sees the page, and sees the alternative text only if the page cannot be displayed. The two may
 * differ.
 */
function textsOf(subject: string | undefined, text: string | undefined, page: string | undefined): string[] {
  const both = [text, page].filter((words) => words !== undefined);
  const isTwice = both.length === 2 && both.every((words) => plain(words) === plain(text ?? ''));
  const [first = '', second] = isTwice ? [text] : both;
  return [[subject, first].filter(Boolean).join('\n'), ...(second === undefined ? [] : [second])];
}

function plain(words: string): string {
  return words.slice(0, COMPARED).replace(/\s+/g, ' ').trim();
}

function unreadInMail(raw: string): string | undefined {
  if (raw.startsWith('From ') && NEXT_MAIL.test(raw)) return 'it contains more than one mail';
  if (contradictsItself(raw)) return 'its headers contradict each other';
  if (ELSEWHERE.test(raw)) return 'a part of it is stored elsewhere';
  const isUnknown = [...raw.matchAll(CHARACTER_SET)].some(([, name = '']) => !isCharacterSet(name));
  return isUnknown ? 'a part of it is in an unsupported character set' : undefined;
}

/** Returns whether mail programs would parse it in different ways. */
function contradictsItself(raw: string): boolean {
  const headers = raw.slice(0, HEADERS_BYTES).split(/\r?\n\r?\n/, 1)[0] ?? '';
  const structure = (headers.match(STRUCTURE) ?? []).map((header) => header.replace(/\s/g, '').toLowerCase());
  return new Set(structure).size < structure.length;
}

function isCharacterSet(name: string): boolean {
  try {
    return new TextDecoder(name) !== undefined;
  } catch {
    return false;
  }
}

function toPart({ filename, mimeType, content }: PostalAttachment): Omit<FilePart, 'depth'> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  const ending = ENDINGS.get(mimeType);
  if (ending === undefined || endingOf(filename ?? '') !== '')
    return { bytes, name: filename?.slice(0, 1024) };
  return { bytes, name: `${filename?.slice(0, 1024) ?? 'part'}.${ending}` };
}

type PostalAttachment = Awaited<ReturnType<typeof PostalMime.parse>>['attachments'][number];

function senderReasons(
  from: string | undefined,
  replyTo: string | undefined,
  returnPath: string | undefined,
): string[] {
  const domain = domainOf(from);
  const reasons: string[] = [];
  if (domain === undefined) return reasons;
  const isOther = (address: string | undefined) => ![undefined, domain].includes(domainOf(address));
  if (isOther(replyTo)) reasons.push('replies go to another domain than that of its sender');
  if (isOther(returnPath)) reasons.push('it was sent from another domain than that of its sender');
  return reasons;
}

function domainOf(address: string | undefined): string | undefined {
  const host = address
    ?.replace(/[<>\s]/g, '')
    .split('@')
    .at(-1)
    ?.toLowerCase();
  return host === undefined || !address?.includes('@') ? undefined : (registeredDomain(host) ?? host);
}

function isTooLong(bytes: Uint8Array): boolean {
  let lines = 1;
  let boundaries = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    lines++;
    if (bytes[at + 1] === HYPHEN && bytes[at + 2] === HYPHEN) boundaries++;
    if (lines > MAX_LINES || boundaries > MAX_BOUNDARIES) return true;
  }
  return false;
}
