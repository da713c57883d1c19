import type { FilePart } from '../file-contents.ts';

const DATA = /^\s*data:([a-z]+\/[a-z0-9.+-]{1,80})?((?:;[^;,]{0,200}){0,4}?)(;base64)?,/i;
/** An escape takes a fifth of a microsecond. */
const MAX_ADDRESS_LENGTH = 1024 * 1024;
const NAMES: Readonly<Record<string, string>> = {
  'text/html': 'a.html',
  'application/xhtml+xml': 'a.html',
  'text/xml': 'a.html',
  'application/xml': 'a.html',
  'image/svg+xml': 'a.svg',
};

/**
 * Returns the file in a `data:` URL (RFC 2397), named by its media type. Undefined for other or very long
 * URLs.
 */
export function fileOfDataUrl(address: string): Omit<FilePart, 'depth'> | undefined {
  const match = DATA.exec(address.slice(0, 1024));
  if (match === null || address.length > MAX_ADDRESS_LENGTH) return undefined;
  const [head, type = 'text/plain', , isBase64] = match;
  const body = address
    .slice(head.length)
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = isBase64 ? Buffer.from(body, 'base64') : bytesOf(body);
  return { bytes, name: NAMES[type.toLowerCase()] };
}

/** Characters up to U+00FF are bytes, since escapes were decoded as such; others are UTF-8. */
function bytesOf(body: string): Uint8Array {
  return Buffer.from(body, /^[\0-\xff]*$/.test(body) ? 'latin1' : 'utf8');
}
