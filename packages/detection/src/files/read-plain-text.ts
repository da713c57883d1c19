import { endingOf } from './disguised-name.ts';
import type { Contents } from './file-contents.ts';
import { fileFinding } from './file-finding.ts';
import { isCard, readCard } from './mail/read-card.ts';

const TABLE = /^(?:csv|tsv|tab)$/;
/** A cell that makes Excel start another program: a name, a bar, a command, an exclamation mark. */
const COMMAND_CELL = /(?:^|[,;\t"'])\s{0,8}[=+@-][^\r\n,;|]{0,64}\|[^\r\n!]{1,128}!/m;

/** A longer text is not analyzed to its end. */
const MAX_READ_LENGTH = 262_144;
const PACKED_FILE = /^begin(?:-base64)? [0-7]{3,4} \S/m;
/** Marks of content other than words. */
const ENCRYPTED = '-----BEGIN PGP MESSAGE-----';

/** A document in one piece of XML, with macros or objects in it or an external stylesheet. */
const XML_WITH_MORE =
  /^\s*<\?xml\b[\s\S]*?<(?:\?xml-stylesheet|\?mso-application|(?:[\w.-]{1,32}:)?(?:binData|binaryData|binary-data|scripts|script)\b)/;

/** Returns a clause on the part of a text that is not words. */
export function unreadReasonOf(text: string): string | undefined {
  if (XML_WITH_MORE.test(text.slice(0, MAX_READ_LENGTH)))
    return 'it is an XML document that may contain more than words';
  if (text.includes(ENCRYPTED)) return 'it contains an encrypted message';
  return PACKED_FILE.test(text) ? 'it contains a file in an unsupported encoding (uuencode)' : undefined;
}

/** Reads a text without other content. */
export function readPlainText(text: string, name: string | undefined): Contents {
  if (isCard(text)) return readCard(text);
  const hasCommand = TABLE.test(endingOf(name)) && COMMAND_CELL.test(text.slice(0, MAX_READ_LENGTH));
  return {
    texts: [text],
    findings: hasCommand ? [fileFinding('command_in_document')] : [],
    unread: () => unreadReasonOf(text),
  };
}
