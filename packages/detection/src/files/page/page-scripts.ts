import { extractLinks } from '../extract-links.ts';

/**
 * A file hidden in a script is longer than this; a small picture in a mail is shorter and not in a script.
 */
const HIDDEN_FILE =
  /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{2000}|(?<![\d,\s])(?:\s{0,4}\d{1,3},){500}|(?<!\\x[0-9a-f]{2})(?:\\x[0-9a-f]{2}){500}/i;
/** Joins between the pieces of a string. */
const JOINTS = /["'`]\s{0,8}\+\s{0,8}["'`]|\\\r?\n|\\n/g;
const HANDS_OVER =
  /createObjectURL|msSaveOrOpenBlob|msSaveBlob|new\s+Blob\b|\.download\b|data:application\//i;
/** A URL that begins with http, in Base64. */
const PACKED_LINK = /\baHR0c[A-Za-z0-9+/]{8,2700}/g;
/** Names of XML vocabularies, with which scripts create elements. */
const VOCABULARY = /^https?:\/\/(?:www\.w3\.org|schema\.org)\//i;
const MAX_LINKS = 100;
/** Longer than the patterns, so that matches across two pieces are found. */
const OVERLAP_LENGTH = 2100;

/** The results so far for the scripts of a page. */
export interface PageScripts {
  readonly links: Set<string>;
  handsOver: boolean;
  hidesFile: boolean;
  /** The end of the text that was read. */
  rest: string;
}

export function startScripts(): PageScripts {
  return { links: new Set(), handsOver: false, hidesFile: false, rest: '' };
}

/** Reads a piece of a script: the URLs in it, and whether it hides a file and offers it as a download. */
export function readScriptPiece(piece: string, scripts: PageScripts): void {
  const script = scripts.rest + piece;
  scripts.handsOver ||= HANDS_OVER.test(script);
  scripts.hidesFile ||= HIDDEN_FILE.test(script.replace(JOINTS, ''));
  for (const link of [...extractLinks(unescaped(script)), ...packedLinks(script)]) {
    if (scripts.links.size < MAX_LINKS && !VOCABULARY.test(link)) scripts.links.add(link);
  }
  scripts.rest = script.slice(-OVERLAP_LENGTH);
}

function packedLinks(script: string): string[] {
  const packed = script.match(PACKED_LINK)?.slice(0, MAX_LINKS) ?? [];
  return packed.flatMap((text) => extractLinks(Buffer.from(text, 'base64').toString('latin1')).slice(0, 1));
}

function unescaped(script: string): string {
  return script.replace(/\\\/|\\(?:x|u00)([0-9a-f]{2})/gi, (_, hex?: string) =>
    hex === undefined ? '/' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
