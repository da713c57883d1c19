type FileGroup =
  | 'program'
  | 'archive'
  | 'document'
  | 'page'
  | 'mail'
  | 'shortcut'
  | 'picture'
  | 'sound'
  | 'film'
  | 'text'
  | 'unknown';

export interface FileType {
  /** Such as `pdf`; `unknown` for bytes that match no signature. */
  readonly kind: string;
  readonly group: FileGroup;
}

interface Signature extends FileType {
  readonly at?: number;
  /** Hex, with `..` for any byte. */
  readonly hex: string;
}

/**
 * The first match decides. From the specifications of the formats: PE/COFF and LNK (Microsoft MS-SHLLINK
 * 2.1), ELF, Mach-O loader.h, APPNOTE.TXT 4.3, RFC 1952, POSIX ustar, ECMA-119 8.2, MS-CFB 2.2, ISO 32000-1
 * 7.5.2, PNG 5.2, JPEG B.1.1.3, GIF89a, RIFF, ISO 14496-12 4.3, EBML, FLAC, RFC 3533, ID3v2.
 */
const SIGNATURES: readonly Signature[] = [
  { kind: 'pe', group: 'program', hex: '4d5a' },
  { kind: 'elf', group: 'program', hex: '7f454c46' },
  { kind: 'mach-o', group: 'program', hex: 'feedface' },
  { kind: 'mach-o', group: 'program', hex: 'feedfacf' },
  { kind: 'mach-o', group: 'program', hex: 'cefaedfe' },
  { kind: 'mach-o', group: 'program', hex: 'cffaedfe' },
  // Shared with Java classes, which are programs too.
  { kind: 'mach-o', group: 'program', hex: 'cafebabe' },
  { kind: 'dex', group: 'program', hex: '6465780a30' },
  { kind: 'wasm', group: 'program', hex: '0061736d' },
  { kind: 'zip', group: 'archive', hex: '504b0304' },
  { kind: 'zip', group: 'archive', hex: '504b0506' },
  // A split archive that fits into one part.
  { kind: 'zip', group: 'archive', hex: '504b0708504b0304' },
  { kind: 'zip', group: 'archive', hex: '504b3030504b0304' },
  { kind: 'gzip', group: 'archive', hex: '1f8b08' },
  { kind: '7z', group: 'archive', hex: '377abcaf271c' },
  { kind: 'rar', group: 'archive', hex: '526172211a07' },
  { kind: 'xz', group: 'archive', hex: 'fd377a585a00' },
  { kind: 'bzip2', group: 'archive', hex: '425a68..314159265359' },
  { kind: 'zstd', group: 'archive', hex: '28b52ffd' },
  { kind: 'cab', group: 'archive', hex: '4d53434600000000' },
  { kind: 'lz4', group: 'archive', hex: '04224d18' },
  { kind: 'lzip', group: 'archive', hex: '4c5a4950' },
  { kind: 'compress', group: 'archive', hex: '1f9d' },
  { kind: 'ace', group: 'archive', at: 7, hex: '2a2a4143452a2a' },
  { kind: 'arj', group: 'archive', hex: '60ea' },
  { kind: 'lzh', group: 'archive', at: 2, hex: '2d6c68..2d' },
  { kind: 'ar', group: 'archive', hex: '213c617263683e' },
  { kind: 'wim', group: 'archive', hex: '4d5357494d000000' },
  { kind: 'vhd', group: 'archive', hex: '636f6e6563746978' },
  { kind: 'vhdx', group: 'archive', hex: '7668647866696c65' },
  { kind: 'chm', group: 'program', hex: '4954534603000000' },
  { kind: 'tnef', group: 'mail', hex: '789f3e22' },
  { kind: 'pst', group: 'mail', hex: '2142444e' },
  { kind: 'tar', group: 'archive', at: 257, hex: '7573746172' },
  { kind: 'iso', group: 'archive', at: 0x8001, hex: '4344303031' },
  { kind: 'udf', group: 'archive', at: 0x8001, hex: '4245413031' },
  // What macOS puts beside each file of an archive (RFC 1740, appendix B) and into each folder.
  { kind: 'finder', group: 'unknown', hex: '00051607' },
  { kind: 'finder', group: 'unknown', hex: '0000000142756431' },
  { kind: 'ole', group: 'document', hex: 'd0cf11e0a1b11ae1' },
  { kind: 'rtf', group: 'document', hex: '7b5c7274' },
  { kind: 'onenote', group: 'document', hex: 'e4525c7b8cd8a74daeb15378d02996d3' },
  { kind: 'lnk', group: 'shortcut', hex: '4c0000000114020000000000c000000000000046' },
  { kind: 'png', group: 'picture', hex: '89504e470d0a1a0a' },
  { kind: 'jpeg', group: 'picture', hex: 'ffd8ff' },
  { kind: 'gif', group: 'picture', hex: '474946383' },
  { kind: 'webp', group: 'picture', hex: '52494646........57454250' },
  { kind: 'tiff', group: 'picture', hex: '49492a00' },
  { kind: 'tiff', group: 'picture', hex: '4d4d002a' },
  { kind: 'bmp', group: 'picture', hex: '424d........00000000' },
  { kind: 'ico', group: 'picture', hex: '00000100..00' },
  { kind: 'jxl', group: 'picture', hex: '0000000c4a584c20' },
  { kind: 'wav', group: 'sound', hex: '52494646........57415645' },
  { kind: 'avi', group: 'film', hex: '52494646........41564920' },
  { kind: 'heif', group: 'picture', at: 4, hex: '667479706865' },
  { kind: 'heif', group: 'picture', at: 4, hex: '667479706d6966' },
  { kind: 'avif', group: 'picture', at: 4, hex: '6674797061766966' },
  { kind: 'm4a', group: 'sound', at: 4, hex: '667479704d3441' },
  { kind: 'mp4', group: 'film', at: 4, hex: '66747970' },
  { kind: 'matroska', group: 'film', hex: '1a45dfa3' },
  { kind: 'flac', group: 'sound', hex: '664c6143' },
  { kind: 'ogg', group: 'sound', hex: '4f676753' },
  { kind: 'mp3', group: 'sound', hex: '494433' },
  { kind: 'mp3', group: 'sound', hex: 'fffb' },
  { kind: 'mp3', group: 'sound', hex: 'fff3' },
];

/** Enough bytes to recognize a text. */
const SAMPLE_BYTES = 4096;
/** Readers accept a PDF header anywhere in these bytes (ISO 32000-1, annex H.3.4.1). */
const PDF_HEADER_BYTES = 1024;
const HTML =
  /^\s*(?:<\?xml[^>]{0,500}\?>\s*)?(?:<!--[^>]{0,500}-->\s*)*<(?:!doctype\s+html|html|head|body|script|style|base|link|meta|title|form|input|iframe|object|embed|table|center|font|div|span|img|br|hr|h[1-6]|p|a|b)\b/i;
const SVG = /<svg\b/i;
const MAIL_HEADER =
  /^(?:return-path|received|from|to|subject|date|message-id|mime-version|delivered-to|x-[a-z-]{1,40}|dkim-signature|content-type|reply-to):/im;

/** Returns the type of a file by its bytes alone; its name may be false. */
export function fileTypeOf(bytes: Uint8Array): FileType {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const found = SIGNATURES.find((signature) => matches(bytes, signature));
  // Two letters can also be the start of a text.
  if (found && !(found.kind === 'pe' && textOf(sample) !== undefined)) {
    return { kind: found.kind, group: found.group };
  }
  const head = latin1(sample);
  if (head.slice(0, PDF_HEADER_BYTES).includes('%PDF-')) return { kind: 'pdf', group: 'document' };
  const text = textOf(sample);
  if (text === undefined) return { kind: 'unknown', group: 'unknown' };
  if (HTML.test(text)) return { kind: 'html', group: 'page' };
  if (SVG.test(text.slice(0, 1024))) return { kind: 'svg', group: 'page' };
  if (isMail(text)) return { kind: 'eml', group: 'mail' };
  return { kind: text.startsWith('#!') ? 'shell' : 'text', group: 'text' };
}

function matches(bytes: Uint8Array, { at = 0, hex }: Signature): boolean {
  for (let index = 0; index < hex.length; index += 2) {
    const pair = hex.slice(index, index + 2);
    const byte = bytes[at + index / 2];
    if (byte === undefined) return false;
    if (pair === '..') continue;
    // A half byte at the end, for versions: GIF87a and GIF89a.
    if (pair.length === 1 ? byte >> 4 !== Number.parseInt(pair, 16) : byte !== Number.parseInt(pair, 16)) {
      return false;
    }
  }
  return true;
}

/** A mail begins with header lines, among them two known ones. */
function isMail(text: string): boolean {
  const lines = text.slice(0, 2048).split(/\r?\n/, 20);
  if (!/^[A-Za-z][A-Za-z0-9-]{0,60}:|^From /.test(lines[0] ?? '')) return false;
  return lines.filter((line) => MAIL_HEADER.test(line)).length >= 2;
}

/**
 * Undefined for bytes that a text editor would not display: control characters, or neither UTF-8 nor UTF-16.
 */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return undefined;
  const text = decodeText(bytes);
  const strange = [...text].filter(isStrange).length;
  return strange > text.length / 50 ? undefined : text;
}

function isStrange(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code === 0xfffd || (code < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(code));
}

/**
 * Decodes UTF-8 or, with a byte order mark or the first character of a tag, UTF-16. Never throws: invalid
 * bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) {
    return new TextDecoder('utf-16le').decode(bytes);
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) {
    return new TextDecoder('utf-16be').decode(bytes);
  }
  const text = new TextDecoder('utf-8').decode(bytes);
  return isWestern(text) ? new TextDecoder('windows-1252').decode(bytes) : text;
}

/**
 * Returns whether most bytes beyond ASCII are invalid in UTF-8 and none is a control character: older
 * European programs write such texts.
 */
function isWestern(text: string): boolean {
  if (!text.includes('\ufffd')) return false;
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const sound = text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return broken > 2 * sound && broken < text.length / 4 && !/[\0-\x08\x0e-\x1a]/.test(text);
}

/** One character per byte. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
